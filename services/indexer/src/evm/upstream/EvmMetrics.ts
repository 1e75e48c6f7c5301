import type { Observe } from '@firn/rpc'
import { UpstreamMetrics } from '@firn/tracing'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics of EVM indexing, by chain id. Each metric's `help` text describes it. */
export interface EvmMetrics {
  readonly registry: Registry
  readonly height: Gauge<'chain'>
  readonly headHeight: Gauge<'chain'>
  readonly blockTime: Gauge<'chain'>
  readonly lag: Gauge<'chain'>
  readonly healthy: Gauge<'chain'>
  readonly standby: Gauge<'chain'>
  readonly blocks: Counter<'chain'>
  readonly commits: Counter<'chain'>
  readonly reorganisations: Counter<'chain'>
  readonly undone: Counter<'chain'>
  readonly requests: Counter<'chain' | 'upstream'>
  readonly faults: Counter<'chain' | 'upstream' | 'code'>
  readonly distrusted: Gauge<'chain' | 'upstream'>
  readonly failures: Counter<'chain' | 'code'>
  readonly storeFaults: Counter<'chain' | 'code'>
  readonly latency: Histogram<'chain'>
  readonly checkedHeight: Gauge<'chain'>
  readonly checkLag: Gauge<'chain'>
  readonly tracedHeight: Gauge<'chain'>
  readonly untracedBlocks: Gauge<'chain'>
  readonly checkedBalances: Counter<'chain'>
  readonly differing: Counter<'chain' | 'class'>
  readonly diskBytes: Gauge<'chain' | 'kind'>
  readonly missingIndexes: Gauge<'chain'>
  /** Records a request to a node. */
  readonly observe: Observe
}

/** Creates all metrics with the value zero, in the given registry or in a new one. */
export function create(registry: Registry = new Registry()): EvmMetrics {
  const registers = [registry]
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `firn_evm_${name}`, help, labelNames: ['chain'] as const, registers })
  const counter = <L extends string>(name: string, help: string, labels: readonly L[]) =>
    new Counter<'chain' | L>({ name: `firn_evm_${name}`, help, labelNames: ['chain', ...labels], registers })
  return {
    registry,
    height: gauge('height', 'Height of the last block in the database.'),
    headHeight: gauge('head_height', 'Height of the last block that a node has reported as executed.'),
    blockTime: gauge('block_time_seconds', 'Time of the last block in the database, in Unix seconds.'),
    lag: gauge('lag_blocks', 'Number of blocks between the last block in the database and the head.'),
    healthy: gauge('healthy', '1 if the chain has no problems, otherwise 0.'),
    standby: gauge('standby', '1 if another process writes the chain to the database, otherwise 0.'),
    blocks: counter('blocks_total', 'Number of blocks written.', []),
    commits: counter('commits_total', 'Number of database transactions that wrote blocks.', []),
    reorganisations: counter('reorganisations_total', 'Number of reorgs that removed blocks.', []),
    undone: counter('undone_blocks_total', 'Number of blocks removed by reorgs.', []),
    requests: counter('requests_total', 'Number of requests to nodes; a batch counts as one request.', [
      'upstream',
    ]),
    faults: counter('upstream_faults_total', 'Number of answers from nodes that failed or were rejected.', [
      'upstream',
      'code',
    ]),
    distrusted: new Gauge({
      name: 'firn_evm_upstream_distrusted',
      help: '1 if a node is used last because it has returned wrong data, otherwise 0.',
      labelNames: ['chain', 'upstream'],
      registers,
    }),
    failures: counter('failures_total', 'Number of times that the indexing of a chain ended with an error.', [
      'code',
    ]),
    storeFaults: counter('store_faults_total', 'Number of database failures.', ['code']),
    latency: new Histogram({
      name: 'firn_evm_head_latency_seconds',
      help: 'Seconds from the announcement of a block at the head until its rows are readable.',
      labelNames: ['chain'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    checkedHeight: gauge('checked_height', 'Height of the last block whose token balances were checked.'),
    checkLag: gauge('check_lag_blocks', 'Number of stored blocks whose token balances were not checked yet.'),
    tracedHeight: gauge('traced_height', 'Height of the block up to which internal calls are complete.'),
    untracedBlocks: gauge(
      'untraced_blocks',
      'Number of stored blocks whose internal calls are missing, because no node returned their traces in time.',
    ),
    checkedBalances: counter(
      'checked_balances_total',
      'Number of balances that contracts were asked for.',
      [],
    ),
    differing: counter(
      'differing_contracts_total',
      'Number of contracts whose balances were found to differ from their logs.',
      ['class'],
    ),
    diskBytes: new Gauge({
      name: 'firn_evm_disk_bytes',
      help: 'Size of the data in the database on disk, with indexes, by kind of data.',
      labelNames: ['chain', 'kind'],
      registers,
    }),
    missingIndexes: gauge(
      'missing_indexes',
      'Number of indexes that requests need and that are not built yet. The chain is not served until it is 0.',
    ),
    observe: UpstreamMetrics.create('firn_evm', registry),
  }
}
