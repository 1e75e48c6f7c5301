export { openRaw, type RawClient, type RawOptions } from './rawClient.ts'
