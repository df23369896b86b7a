/**
 * The YAML reader and writer, loaded with `await import` where it is needed. The package is CommonJS: in the bundle a dynamic
 * import of it would have a default export only, while static imports by name are resolved.
 */
export { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
