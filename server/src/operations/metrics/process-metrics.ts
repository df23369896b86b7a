import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric } from './metrics-text.ts';

/** Interval at which the delay of the event loop is sampled. */
const samplingMs = 20;

/** Delay beyond the sampling interval, in seconds. */
const delaySeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - samplingMs / 1000);

/** Measures the process: memory, processor time and delays of the event loop since the last call of `collect`. */
export function openProcessMetrics(): { collect(): Metric[]; close(): void } {
  const delays: IntervalHistogram = monitorEventLoopDelay({ resolution: samplingMs });
  delays.enable();
  const startSeconds = Math.round(performance.timeOrigin / 1000);
  return {
    collect() {
      const { user, system } = process.cpuUsage();
      const lag = ['50', '99', '100'].map((percentile) => ({
        labels: { quantile: String(Number(percentile) / 100) },
        value: delays.count === 0 ? 0 : delaySeconds(delays.percentile(Number(percentile))),
      }));
      delays.reset();
      const gauge = (name: string, help: string, value: number): Metric => ({
        name,
        help,
        type: 'gauge',
        samples: [{ value }],
      });
      return [
        {
          name: 'event_loop_lag_seconds',
          help: 'Delay of the event loop since the last scrape.',
          type: 'gauge',
          samples: lag,
        },
        {
          name: 'process_cpu_seconds_total',
          help: 'Processor time of all threads.',
          type: 'counter',
          samples: [{ value: (user + system) / 1e6 }],
        },
        gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
        gauge('process_start_time_seconds', 'Start of the process, in Unix seconds.', startSeconds),
      ];
    },
    close: () => delays.disable(),
  };
}
