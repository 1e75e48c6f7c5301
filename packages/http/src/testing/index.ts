export { type Collector, type ReceivedSpan, startCollector, traceProcess } from './collector.ts'
export * from './hostileServers.ts'
export { CERTIFICATE } from './testCertificate.ts'
