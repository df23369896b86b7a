import { toRawPath } from '../storage/disk/paths/raw-names.ts';

/** A program to be started, with its arguments and its whole environment. */
interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** `bytes` as the shell's `printf %b` reads them: octal digits only, and a slash at the end that keeps line ends. */
const octal = (bytes: Buffer): string =>
  `${Array.from(bytes, (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}/`;

/**
 * The same program, started with the bytes that names in its arguments and environment have on the disk. Node starts programs
 * with text only, so where a name is not UTF-8 a shell makes the bytes and becomes the program. It gets the values as octal
 * digits and positional parameters: nothing in them is read as a part of its script.
 */
export function withRawBytes({ file, args, env }: Start): Start {
  const isRaw = (text: string): boolean => typeof toRawPath(text) !== 'string';
  const rawNames = Object.keys(env).filter((name) => isRaw(env[name] ?? ''));
  if (rawNames.length === 0 && !args.some(isRaw)) return { file, args, env };

  const parameters: string[] = [];
  const parameter = (value: string): string => `"\${${parameters.push(value)}}"`;
  const script: string[] = [];
  const assign = (variable: string, text: string): void => {
    const value = parameter(octal(Buffer.from(toRawPath(text))));
    script.push(`${variable}=$(printf %b ${value}); ${variable}=\${${variable}%/}`);
  };
  for (const name of rawNames) {
    assign(name, env[name] ?? '');
    script.push(`export ${name}`);
  }
  const words = [file, ...args].map((word, position) => {
    if (!isRaw(word)) return parameter(word);
    const variable = `__filestead_${position}`;
    assign(variable, word);
    return `"$${variable}"`;
  });
  script.push(`exec ${words.join(' ')}`);
  const textual = Object.fromEntries(Object.entries(env).filter(([name]) => !rawNames.includes(name)));
  return { file: '/bin/sh', args: ['-c', script.join('\n'), 'sh', ...parameters], env: textual };
}
