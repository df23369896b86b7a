// Loaded before the product with `--import`, by tests only. Counts the calls by which the process and its threads change anything
// on the disk, and kills the process and its children at the one that the test has named, or in the middle of it. A call is
// counted only if a kill before it leaves another disk than a kill before the call counted last.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * The functions of `fs` that change something. Each has a callback form and a synchronous one, and some have a promise
 * form.
 */
const changes = [
  'appendFile',
  'chmod',
  'copyFile',
  'fchmod',
  'fchown',
  'fdatasync',
  'fsync',
  'ftruncate',
  'futimes',
  'link',
  'mkdir',
  'open',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'write',
  'writeFile',
  'writev',
];

/** Writes data that a killed process has already handed to the kernel, and that are on the disk in any case. */
const isFlush = (name) => /^f(?:data)?sync(?:Sync)?$/.test(name);

const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants;
const writeSync = fs.writeSync;
const opensForWriting = (flags) =>
  typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0 : /[wa+]/.test(flags ?? 'r');

/** The maximum number of points since the switch was armed, and the bytes of the label of each. */
const [maxPoints, labelBytes] = [4096, 64];
/**
 * Positions in the shared counters. `fatal` is the point at which the process ends, 0 for none; `changed` is 1 if the disk may have
 * changed since the last point.
 */
const [armed, fatal, reached, changed] = [0, 1, 2, 3];
const counterCount = 4;
const counterBytes = counterCount * Int32Array.BYTES_PER_ELEMENT;

const key = 'filestead-kill-switch';
/** Shared by all threads. */
const memory = isMainThread
  ? new SharedArrayBuffer(counterBytes + maxPoints * labelBytes)
  : getEnvironmentData(key);
const counters = memory && new Int32Array(memory, 0, counterCount);

const labelAt = (point) => Buffer.from(memory, counterBytes + point * labelBytes, labelBytes);

/** Returns the labels of the points since the switch was armed, in order. */
function takePoints() {
  const count = Math.min(Atomics.exchange(counters, reached, 0), maxPoints);
  return Array.from({ length: count }, (_, point) => {
    const label = labelAt(point);
    return label.toString('utf8', 1, 1 + label[0]);
  });
}

const killAll = () => {
  process.kill(-process.pid, 'SIGKILL');
};

const noteChange = () => Atomics.store(counters, changed, 1);

/**
 * Counts a point before a call, unless the disk is the same as at the last one. `changesDisk` is whether a kill after the call leaves
 * another disk than one before it. If the process ends at this point, `beforeEnd` is called first.
 */
function reach(text, changesDisk, beforeEnd) {
  if (Atomics.load(counters, armed) === 0) return;
  const isOther = Atomics.exchange(counters, changed, changesDisk ? 1 : 0) === 1;
  if (!isOther) return;
  const point = Atomics.add(counters, reached, 1);
  if (point < maxPoints) {
    const label = labelAt(point);
    label[0] = label.write(text, 1);
  }
  if (point + 1 !== Atomics.load(counters, fatal)) return;
  beforeEnd?.();
  killAll();
}

/** Writes half of the data of a call, as if the process were killed in the middle of it. */
function writeHalf(name, [file, data, second, length, position]) {
  if (typeof file !== 'number') return;
  if (name.startsWith('writev')) {
    const whole = Buffer.concat(data);
    writeSync(file, whole.subarray(0, Math.ceil(whole.length / 2)), 0, undefined, second ?? null);
  } else if (typeof data === 'string') {
    writeSync(file, data.slice(0, Math.ceil(data.length / 2)));
  } else {
    const offset = typeof second === 'number' ? second : 0;
    const bytes = typeof length === 'number' ? length : data.byteLength - offset;
    writeSync(file, data, offset, Math.ceil(bytes / 2), typeof position === 'number' ? position : null);
  }
}

/** Notes a change also when an asynchronous call ends: another thread may have counted a point while it was under way. */
function noteEnd(args) {
  const callback = args.at(-1);
  if (typeof callback !== 'function') return args;
  const noting = (...results) => {
    noteChange();
    return callback(...results);
  };
  return [...args.slice(0, -1), noting];
}

function watched(name, original) {
  const changesDisk = !isFlush(name);
  const watchedCall = function (...args) {
    if (name.startsWith('open') && !opensForWriting(args[1])) return original.apply(this, args);
    reach(name, changesDisk);
    if (/^writev?(?:Sync)?$/.test(name)) reach(`${name}, half of it`, true, () => writeHalf(name, args));
    if (!changesDisk) return original.apply(this, args);
    const result = original.apply(this, noteEnd(args));
    if (result instanceof Promise) result.then(noteChange, noteChange);
    return result;
  };
  // `promisify` reads properties with symbols as keys.
  return Object.defineProperties(watchedCall, Object.getOwnPropertyDescriptors(original));
}

function watchDisk() {
  for (const name of changes) {
    for (const form of [name, `${name}Sync`]) if (form in fs) fs[form] = watched(form, fs[form]);
    if (name in fs.promises) fs.promises[name] = watched(name, fs.promises[name]);
  }
  syncBuiltinESMExports();
}

/**
 * SQLite does not write through `fs`; each statement that changes something is a point. The statements of a transaction change
 * nothing until it is committed: the next start rolls them back.
 */
function watchDatabase() {
  const require = createRequire(process.argv[1]);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const name = major > 22 || (major === 22 && minor >= 13) ? 'node:sqlite' : '@photostructure/sqlite';
  const sqlite = require(name);
  const isChange = (sql) => !/^\s*(?:select|pragma)\b/i.test(sql);
  const label = (sql) => `sqlite ${sql.trim().split(/\s+/).slice(0, 3).join(' ')}`;
  class DatabaseSync extends sqlite.DatabaseSync {
    #isInTransaction = false;

    #reach(sql) {
      if (/^\s*begin\b/i.test(sql)) this.#isInTransaction = true;
      const ends = /\b(?:commit|end|rollback)\s*;?\s*$/i.test(sql);
      reach(label(sql), ends || !this.#isInTransaction);
      if (ends) this.#isInTransaction = false;
    }

    exec(sql) {
      if (isChange(sql)) this.#reach(sql);
      return super.exec(sql);
    }
    prepare(sql, ...rest) {
      const statement = super.prepare(sql, ...rest);
      if (!isChange(sql)) return statement;
      for (const method of ['run', 'all', 'get', 'iterate']) {
        const original = statement[method];
        const value = (...args) => {
          this.#reach(sql);
          return original.apply(statement, args);
        };
        Object.defineProperty(statement, method, { value });
      }
      return statement;
    }
  }
  const loaded = require.cache[require.resolve(name)];
  if (loaded === undefined) sqlite.DatabaseSync = DatabaseSync;
  else loaded.exports = { ...sqlite, DatabaseSync };
}

if (!isMainThread && counters !== undefined) watchDisk();
if (isMainThread && process.send !== undefined) {
  setEnvironmentData(key, memory);
  watchDisk();
  watchDatabase();
  process.on('message', ({ arm }) => {
    const counted = takePoints();
    noteChange();
    Atomics.store(counters, fatal, arm ?? 0);
    Atomics.store(counters, armed, arm === null ? 0 : 1);
    process.send({ counted });
  });
  process.channel?.unref();
}
