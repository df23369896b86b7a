/** Thrown for anything wrong with a flag, a variable or the configuration file; its message is for the administrator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
