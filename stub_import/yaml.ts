// A file of its own: the bundler finds the names of a CommonJS package only where it is imported statically.
export { parse as parseYaml } from 'yaml'
