/**
 * The YAML parser and serializer, loaded with `await import` where needed. The package is CommonJS: in the
 * bundle a dynamic import of it would only have a default export, while static imports by name are resolved.
 */
export { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
