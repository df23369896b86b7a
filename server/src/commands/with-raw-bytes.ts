import { toRawPath } from '../storage/disk/paths/raw-names.ts';

/** A program to start, with its arguments and its complete environment. */
interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Encodes `bytes` for `printf %b` of the shell: octal digits only, and a final slash so that trailing line feeds are kept. */
const octal = (bytes: Buffer): string =>
  `${Array.from(bytes, (byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}/`;

/**
 * Returns the same program, started with the bytes that names in its arguments and environment have on the disk. Node can
 * pass only text to programs, so for names that are not UTF-8 a shell creates the bytes and then executes the program. The
 * shell gets the values as octal digits and positional parameters, so that it never interprets them as a script.
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
