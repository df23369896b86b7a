import { type Option, positive, unlessEmpty } from './option.ts';
import * as parse from './parse-values.ts';

/** The options about users’ commands, hooks and the command socket. */
export const commandOptions = {
  enableExec: {
    name: 'enableExec',
    description: 'enable commands for users with the execute permission, and hooks',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  disableExec: {
    name: 'disableExec',
    description: 'File Browser’s option for the same: “false” is --enableExec, “true” overrides it',
    fallback: '',
    parse: unlessEmpty(parse.parseSwitch),
  },
  isExecUnsandboxed: {
    name: 'execUnsandboxed',
    description: 'run users’ commands without a sandbox, with all privileges of the server',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  commandTimeoutMs: {
    name: 'commandTimeout',
    value: 'duration',
    description: 'time limit of a user’s command',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  commandOutputBytes: {
    name: 'commandOutput',
    value: 'size',
    description: 'output limit of a command, after which it is stopped',
    fallback: '16MiB',
    parse: parse.parseSize,
  },
  /** 0 means no limit. */
  commandMemoryBytes: {
    name: 'commandMemory',
    value: 'size',
    description: 'memory limit of each process of a command; 0 for no limit',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  commandsPerUser: {
    name: 'commandsPerUser',
    value: 'number',
    description: 'maximum number of concurrent commands per user',
    fallback: '8',
    parse: positive,
  },
  commandsAtOnce: {
    name: 'commandsAtOnce',
    value: 'number',
    description: 'maximum number of concurrent commands of all users',
    fallback: '32',
    parse: positive,
  },
  hookTimeoutMs: {
    name: 'hookTimeout',
    value: 'duration',
    description: 'time limit of a hook',
    fallback: '10m',
    parse: parse.parsePositiveDuration,
  },
  /** Names of variables of the server's environment that hooks and the sign-in program receive. */
  passedVariables: {
    name: 'programVariables',
    value: 'list',
    description: 'additional environment variables for hooks and the sign-in program, separated by commas',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkVariable),
  },
  /** `scheme://host[:port]`, as browsers send them. */
  allowedOrigins: {
    name: 'allowedOrigins',
    value: 'list',
    description: 'additional origins, separated by commas, whose pages may open the command socket',
    fallback: '',
    parse: (text) => parse.parseList(text).map(parse.checkOrigin),
  },
} as const satisfies Readonly<Record<string, Option>>;
