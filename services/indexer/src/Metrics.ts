import { Counter, Gauge, Registry } from 'prom-client'
import { CHAINS } from './Source.ts'

/** Stages of indexing for which time is measured. */
export type Stage = 'fetch' | 'decode' | 'apply' | 'write'

/** The indexer's metrics; the `help` of each one describes it. */
export interface Metrics {
  readonly registry: Registry
  readonly height: Gauge<'chain'>
  readonly sourceHeight: Gauge<'chain'>
  readonly blockTime: Gauge<'chain'>
  readonly blocks: Counter<'chain'>
  readonly commits: Counter
  readonly seconds: Counter<'stage'>
  readonly refused: Counter<'chain' | 'reason' | 'origin'>
  readonly faults: Counter<'chain' | 'code'>
  readonly storeFaults: Counter<'code'>
  readonly healthy: Gauge
  readonly standby: Gauge
}

/** Creates metrics with value zero in a registry of their own. */
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
    blocks: counter('blocks_total', 'Blocks written.', ['chain']),
    commits: counter('commits_total', 'Database transactions that wrote blocks.'),
    seconds: counter(
      'stage_seconds_total',
      'Time spent waiting for the source, decoding and checking containers, applying blocks, and writing.',
      ['stage'],
    ),
    refused: counter('refused_blocks_total', 'Rejected blocks, by reason.', ['chain', 'reason', 'origin']),
    faults: counter('source_faults_total', 'Source answers that failed, were empty or were short.', [
      'chain',
      'code',
    ]),
    storeFaults: counter('store_faults_total', 'Database failures.', ['code']),
    healthy: gauge('healthy', '1 while there are no problems, otherwise 0.'),
    standby: gauge('standby', '1 while another process writes to the database, otherwise 0.'),
  }
  for (const chain of CHAINS) metrics.blocks.inc({ chain }, 0)
  metrics.commits.inc(0)
  return metrics
}
