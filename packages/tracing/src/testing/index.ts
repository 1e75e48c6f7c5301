export { type Collector, type ReceivedSpan, startCollector, traceProcess } from './collector.ts'
