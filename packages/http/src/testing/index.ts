export { type Collector, type ReceivedSpan, startCollector, traceProcess } from './collector.ts'
export * from './hostileServers.ts'
export { openRaw, type RawClient, type RawOptions } from './rawClient.ts'
export { CERTIFICATE } from './testCertificate.ts'
