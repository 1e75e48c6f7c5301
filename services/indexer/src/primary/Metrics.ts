import { CHAIN_ALIASES } from '@firn/codec'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Pace } from './Phase.ts'

/** Stage of indexing for which time is measured. */
export type Stage = 'fetch' | 'decode' | 'read' | 'apply' | 'write'

/** Metrics of an indexer. Each metric's `help` text describes it. */
export interface Metrics {
  readonly registry: Registry
  readonly height: Gauge<'chain'>
  readonly sourceHeight: Gauge<'chain'>
  readonly blockTime: Gauge<'chain'>
  readonly blocks: Counter<'chain'>
  readonly vertices: Gauge
  readonly waiting: Gauge
  readonly commits: Counter
  readonly seconds: Counter<'stage'>
  readonly refused: Counter<'chain' | 'reason' | 'origin'>
  readonly faults: Counter<'chain' | 'code'>
  readonly storeFaults: Counter<'code'>
  readonly failures: Counter<'code'>
  readonly healthy: Gauge
  readonly standby: Gauge
}

/** Adds the phase and the speed of an indexer to its registry. `read` is called for each request of the metrics. */
export function observe(
  { registry }: Pick<Metrics, 'registry'>,
  read: () => Pace & { readonly phase: string },
): void {
  const registers = [registry]
  new Gauge({
    name: 'firn_indexer_phase',
    help: '1 for the current phase, which is also in /health.',
    labelNames: ['phase'],
    registers,
    collect() {
      this.reset()
      this.set({ phase: read().phase }, 1)
    },
  })
  new Gauge({
    name: 'firn_indexer_blocks_per_second',
    help: 'Blocks per second that are fetched from peers, or applied once all were fetched.',
    registers,
    collect() {
      this.set(read().blocksPerSecond)
    },
  })
  new Gauge({
    name: 'firn_indexer_seconds_left',
    help: 'Estimated time until the phase ends; -1 if unknown.',
    registers,
    collect() {
      this.set(read().secondsLeft ?? -1)
    },
  })
}

/** Creates all metrics with the value zero, in a new registry. */
export function create(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name: `firn_indexer_${name}`, help, labelNames, registers })
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter<L>({ name: `firn_indexer_${name}`, help, labelNames, registers })
  const metrics = {
    registry,
    height: gauge('height', 'Height of the last block in the database.', ['chain']),
    sourceHeight: gauge('source_height', 'Height of the last block that a source reported.', ['chain']),
    blockTime: gauge('block_time_seconds', 'Time of the last block in the database, in Unix seconds.', [
      'chain',
    ]),
    blocks: counter('blocks_total', 'Number of blocks written.', ['chain']),
    vertices: gauge(
      'vertices',
      'Number of applied vertices, which precede block 1 of the X-chain on some networks.',
    ),
    waiting: gauge(
      'waiting_transactions',
      'Number of transactions in applied vertices that wait for outputs that they spend.',
    ),
    commits: counter('commits_total', 'Number of database transactions that wrote blocks.'),
    seconds: counter(
      'stage_seconds_total',
      'Seconds spent waiting for the source, decoding and checking containers, reading the state, applying blocks, and writing, by stage.',
      ['stage'],
    ),
    refused: counter('refused_blocks_total', 'Number of rejected blocks, by reason.', [
      'chain',
      'reason',
      'origin',
    ]),
    faults: counter(
      'source_faults_total',
      'Number of answers from the source that failed, were empty, or had fewer blocks than requested.',
      ['chain', 'code'],
    ),
    storeFaults: counter('store_faults_total', 'Number of database failures.', ['code']),
    failures: counter('failures_total', 'Number of errors that ended an attempt to index, by code.', [
      'code',
    ]),
    healthy: gauge('healthy', '1 if there are no problems, otherwise 0.'),
    standby: gauge('standby', '1 if another process writes to the database, otherwise 0.'),
  }
  for (const chain of CHAIN_ALIASES) metrics.blocks.inc({ chain }, 0)
  metrics.commits.inc(0)
  return metrics
}
