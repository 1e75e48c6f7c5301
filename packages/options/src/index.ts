/**
 * Options of commands and services. An option is declared once; parsing, help texts and documentation tables
 * are derived from the declaration.
 *
 * @packageDocumentation
 */
export * as Command from './Command.ts'
export * as Common from './Common.ts'
export * as ConfigurationFile from './ConfigurationFile.ts'
export * as Documents from './Documents.ts'
export * as EnvironmentFile from './EnvironmentFile.ts'
export { limitHeapGrowth } from './HeapGrowth.ts'
export * as Help from './Help.ts'
export * as Layers from './Layers.ts'
export * as Log from './Log.ts'
export type { Named } from './NamedChains.ts'
export * as NamedChains from './NamedChains.ts'
export {
  defaults,
  group,
  kebab,
  type Option,
  type Options,
  option,
  pick,
  removed,
  upperSnake,
  type Values,
  withEnvironment,
} from './Option.ts'
export { OptionsError, type OptionsErrorCode } from './OptionsError.ts'
export * as Program from './Program.ts'
export type { Terminal } from './Terminal.ts'
export * as Type from './Type.ts'
