import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Operation, TestEnvironment } from './attempts.ts';
import { Client, settleJobs } from './client.ts';
import { examineStart } from './examine-start.ts';
import { type RealServer, startRealServer } from './real-server.ts';
import { openSqlite } from '../../src/database/sqlite/open-sqlite.ts';
import { contentOf, findLosses, writeFiles, readTree, treeOf } from './trees.ts';

/** One kill and the losses after it. */
export interface Kill {
  readonly operation: string;
  /** The call at which the process ended, or the time. */
  readonly at: string;
  /** The server had not responded yet. */
  readonly isBeforeResponse: boolean;
  readonly losses: readonly string[];
}

/** The data that are lost with the process: nothing, everything that the database knows about kept entries, or the database file. */
export type LostState = 'nothing' | 'index' | 'database';

/** Files that no operation uses and that must not change. */
const bystanders = { 'a.bin': contentOf('bystander', 100_000), 'deep/b.txt': contentOf('bystander 2', 50) };
const otherDiskName = 'other-disk';

const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;

/** A server that is repeatedly killed and restarted on the same data. */
export class KillRange {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), 'filestead-kills-')));
  readonly #main: string;
  readonly #hasSwitch: boolean;
  readonly root = join(this.#top, 'root');
  readonly data = join(this.#top, 'data');
  readonly client = new Client();
  readonly hasOtherDisk: boolean;
  #server: RealServer | null = null;
  #number = 0;

  private constructor(main: string, hasSwitch: boolean) {
    this.#main = main;
    this.#hasSwitch = hasSwitch;
    writeFiles(join(this.root, 'bystanders'), bystanders);
    mkdirSync(this.data, { mode: 0o700 });
    const disk = join(this.root, otherDiskName);
    mkdirSync(disk);
    this.hasOtherDisk = process.platform === 'linux' && mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk);
  }

  static async open({ main, hasSwitch }: { main: string; hasSwitch: boolean }): Promise<KillRange> {
    const range = new KillRange(main, hasSwitch);
    try {
      await range.#start();
      range.client.token = await range.client.signIn();
      // A server that ends by itself leaves its compiled code behind, which makes each of the following starts a third faster.
      await range.#running.stop();
      await range.#start();
      return range;
    } catch (error) {
      await range.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server?.kill();
    if (this.hasOtherDisk) spawnSync('umount', [join(this.root, otherDiskName)]);
    rmSync(this.#top, { recursive: true, force: true });
  }

  async #start(args: readonly string[] = []): Promise<RealServer> {
    this.#server = await startRealServer({
      main: this.#main,
      root: this.root,
      data: this.data,
      hasSwitch: this.#hasSwitch,
      args,
    });
    this.client.url = this.#server.url;
    return this.#server;
  }

  get #running(): RealServer {
    if (this.#server === null) throw new Error('no server is running');
    return this.#server;
  }

  #prepare(operation: Operation): Promise<Attempt> {
    const environment: TestEnvironment = {
      client: this.client,
      root: this.root,
      otherDisk: this.hasOtherDisk ? otherDiskName : null,
      server: this.#running,
    };
    return operation.prepare(environment, ++this.#number);
  }

  /** Restarts the server and returns the errors of everything that the kill may have affected. */
  async #examine(
    attempts: readonly { attempt: Attempt; hasResponse: boolean }[],
    loses: LostState = 'nothing',
  ): Promise<string[]> {
    if (loses === 'index') this.#loseIndex();
    if (loses === 'database') this.#loseDatabase();
    await this.#start(loses === 'database' ? ['--newInstallation'] : []);
    if (loses === 'database') await this.#useNewDatabase();
    // Unfinished copies belong to jobs that continue.
    await settleJobs(this.client);
    const losses = await examineStart(this.root, this.data);
    if (!(await this.client.send('GET', '/resources/')).ok) losses.push('the session is lost');
    for (const { attempt, hasResponse } of attempts) {
      losses.push(...(await attempt.check(hasResponse)));
      if (attempt.folder !== null) rmSync(attempt.folder, { recursive: true, force: true });
    }
    const change = { before: treeOf(bystanders), after: treeOf(bystanders) };
    losses.push(...findLosses(change, readTree(join(this.root, 'bystanders')).tree, true));
    return losses;
  }

  /** Uploads small files until the threads that store them are running. Before, they are stored like large ones. */
  async #warmUp(): Promise<void> {
    const folder = join(this.root, 'warm');
    mkdirSync(folder, { recursive: true });
    for (let number = 0; ; number += 1) {
      await this.#running.arm(Infinity);
      await this.client.call('POST', `/resources/warm/${number}`, { body: 'warm' });
      if ((await this.#running.arm(null)).includes('fdatasyncSync')) break;
      await sleep(10);
    }
    rmSync(folder, { recursive: true });
  }

  /** The calls by which the operation changes the disk, in order; null when it cannot be run here. */
  async pointsOf(operation: Operation): Promise<string[] | null> {
    if (operation.needsOtherDisk === true && !this.hasOtherDisk) return null;
    if (operation.isSmallUpload === true) await this.#warmUp();
    const attempt = await this.#prepare(operation);
    await this.#running.arm(Infinity);
    await attempt.run();
    const points = await this.#running.arm(null);
    const problems = await attempt.check(true);
    if (problems.length > 0) throw new Error(`${operation.name} without a kill: ${problems.join('; ')}`);
    if (attempt.folder !== null) rmSync(attempt.folder, { recursive: true, force: true });
    return points;
  }

  /** Removes the database with all accounts. */
  #loseDatabase(): void {
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(this.data, `filestead.db${suffix}`), { force: true });
  }

  /** Signs in with the account that the first start has created, and lets it see what was deleted before that. */
  async #useNewDatabase(): Promise<void> {
    await this.#changeDatabase('update users set scope_since = 0');
    this.client.token = await this.client.signIn();
  }

  /** Runs a statement beside the server, which holds the database for a moment whenever it writes. */
  async #changeDatabase(sql: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const connection = openSqlite(join(this.data, 'filestead.db'));
        try {
          return connection.exec(sql);
        } finally {
          connection.close();
        }
      } catch (error) {
        if (attempt === 100 || !(error instanceof Error) || !error.message.includes('locked')) throw error;
        await sleep(50);
      }
    }
  }

  /** Removes everything that the database knows about kept entries, which the next start reads from the disk. */
  #loseIndex(): void {
    const connection = openSqlite(join(this.data, 'filestead.db'));
    for (const table of ['kept', 'places', 'ledgers', 'operations', 'operation_steps'])
      connection.exec(`delete from ${table}`);
    connection.close();
  }

  /**
   * Ends the process at the point `at` of the operation, counted from 1; right after the response when it has fewer points this time.
   * `loses` is what is lost with the process.
   */
  async killAtPoint(
    operation: Operation,
    at: number,
    label: string,
    loses: LostState = 'nothing',
  ): Promise<Kill> {
    if (operation.isSmallUpload === true) await this.#warmUp();
    const attempt = await this.#prepare(operation);
    await this.#running.arm(at);
    const hasResponse = await this.#run(attempt);
    await this.#running.kill();
    const losses = await this.#examine([{ attempt, hasResponse }], loses);
    const name = loses === 'nothing' ? operation.name : `${operation.name}, ${loses} lost`;
    return { operation: name, at: label, isBeforeResponse: !hasResponse, losses };
  }

  /** Runs an attempt. Resolves to whether the server responded before it ended. */
  async #run(attempt: Attempt): Promise<boolean> {
    const { ended } = this.#running;
    try {
      await attempt.run();
      return true;
    } catch (error) {
      const isGone = await Promise.race([ended.then(() => true), sleep(2_000, false)]);
      if (!isGone) throw error;
      return false;
    }
  }

  /** The duration of the operation in milliseconds. */
  async durationOf(operation: Operation): Promise<number> {
    const attempt = await this.#prepare(operation);
    const started = performance.now();
    await attempt.run();
    const duration = performance.now() - started;
    if (attempt.folder !== null) rmSync(attempt.folder, { recursive: true, force: true });
    return duration;
  }

  /** Runs all `operations` concurrently and ends the process after `delayMs`. */
  async killAtTime(operations: readonly Operation[], delayMs: number): Promise<Kill> {
    const attempts: Attempt[] = [];
    for (const operation of operations) attempts.push(await this.#prepare(operation));
    const server = this.#running;
    let isKilled = false;
    const runs = attempts.map(async (attempt) => {
      try {
        await attempt.run();
        return { attempt, hasResponse: true };
      } catch (error) {
        if (!isKilled) throw error;
        return { attempt, hasResponse: false };
      }
    });
    await sleep(delayMs);
    isKilled = true;
    await server.kill();
    const results = await Promise.all(runs);
    return {
      operation: operations.map(({ name }) => name).join(' + '),
      at: `${delayMs.toFixed(1)} ms`,
      isBeforeResponse: results.some(({ hasResponse }) => !hasResponse),
      losses: await this.#examine(results),
    };
  }
}
