/** One value of a metric, in the terms of the Prometheus text format. */
export interface Sample {
  /** Appended to the name of the metric: `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its current values. */
export interface Metric {
  /** Without the prefix `filestead_`; names that begin with `process_` get none. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** The media type of {@link metricsText}. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Escapes a label value: backslash, quotation mark and line feed, as the text format requires. */
const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelsOf = (labels: Sample['labels'] = {}): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

/** Formats metrics for Prometheus, in the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export function metricsText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, help, type, samples }) => {
    const fullName = name.startsWith('process_') ? name : `filestead_${name}`;
    return [
      `# HELP ${fullName} ${help}`,
      `# TYPE ${fullName} ${type}`,
      ...samples.map(({ suffix = '', labels, value }) => `${fullName}${suffix}${labelsOf(labels)} ${value}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}
