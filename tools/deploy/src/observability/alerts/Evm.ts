import type { Alert } from '../Alert.ts'

/** Alerts of the indexer of EVM chains. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'EvmUnhealthy',
    severity: 'critical',
    expr: 'firn_evm_healthy == 0',
    for: '5m',
    summary: 'Chain {{ $labels.chain }} at {{ $labels.instance }} has problems.',
    meaning: 'New blocks of the chain may be missing. Stored data is served as before.',
    steps: [
      'Read `problems` in `/health`: it names the chain and the cause.',
      'If nodes fail, see EvmUpstreamFailing. After a reset of a test network, index the chain again: `firn evm --reset <chain id>`.',
    ],
    fires: {
      'firn_evm_healthy{job="evm",instance="e:8700",chain="43114"}': '0+0x60',
    },
    silent: {
      'firn_evm_healthy{job="evm",instance="e:8700",chain="43114"}': '1+0x60',
    },
  },
  {
    name: 'EvmBehind',
    severity: 'critical',
    expr: '(firn_evm_lag_blocks > 50) unless on (instance, chain) (firn_evm_standby == 1)',
    for: '10m',
    summary: 'Chain {{ $labels.chain }} at {{ $labels.instance }} is {{ $value }} blocks behind the head.',
    meaning: 'Clients read old balances and transfers. The alert is expected during a backfill.',
    steps: [
      'Look at blocks per second: if it is above the rate of new blocks, wait.',
      'Look at the time of requests to nodes: a node that limits requests or is far away is the usual reason. Add nodes to `--chain`.',
      'Look at the load and the disk of PostgreSQL.',
    ],
    fires: {
      'firn_evm_lag_blocks{job="evm",instance="e:8700",chain="43114"}': '500+0x60',
      'firn_evm_standby{job="evm",instance="e:8700",chain="43114"}': '0+0x60',
    },
    silent: {
      'firn_evm_lag_blocks{job="evm",instance="e:8700",chain="43114"}': '2+0x60',
      'firn_evm_standby{job="evm",instance="e:8700",chain="43114"}': '0+0x60',
    },
  },
  {
    name: 'EvmSlowAtHead',
    severity: 'warning',
    expr: 'histogram_quantile(0.99, sum by (job, instance, chain, le) (rate(firn_evm_head_latency_seconds_bucket[15m]))) > 10',
    for: '15m',
    summary:
      'Blocks of chain {{ $labels.chain }} are readable {{ $value }} seconds after they are announced.',
    meaning: 'The chain is followed, but late.',
    steps: [
      'Compare the time of requests to nodes with the latency: nodes that announce blocks over WebSocket (`ws://`) save the time between two polls.',
      'Look at the time of commits and at the disk of PostgreSQL.',
    ],
    fires: {
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="10"}': '0+1x60',
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="30"}': '0+30x60',
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="+Inf"}': '0+30x60',
    },
    silent: {
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="10"}': '0+30x60',
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="30"}': '0+30x60',
      'firn_evm_head_latency_seconds_bucket{job="evm",instance="e:8700",chain="43114",le="+Inf"}': '0+30x60',
    },
  },
  {
    name: 'EvmReorgs',
    severity: 'warning',
    expr: 'sum by (job, chain) (increase(firn_evm_undone_blocks_total[1h])) > 30',
    for: '0m',
    summary: '{{ $value }} blocks of chain {{ $labels.chain }} were removed by reorgs within an hour.',
    meaning:
      'Avalanche chains do not reorganise accepted blocks: nodes behind one URL disagree, or a test network was reset.',
    steps: [
      'Find out whether a load balancer with nodes at different heights is among the nodes of `--chain`. Name the nodes one by one.',
      'Run `firn doctor --chain-id <chain id>`.',
    ],
    fires: {
      'firn_evm_undone_blocks_total{job="evm",instance="e:8700",chain="43114"}': '0+2x60',
    },
    silent: {
      'firn_evm_undone_blocks_total{job="evm",instance="e:8700",chain="43114"}': '4+0x60',
    },
  },
  {
    name: 'EvmBalancesDiffer',
    severity: 'warning',
    expr: 'sum by (job, chain, class) (increase(firn_evm_differing_contracts_total[1h])) > 10',
    for: '0m',
    summary:
      'Balances of {{ $value }} contracts of chain {{ $labels.chain }} differ from their logs ({{ $labels.class }}).',
    meaning:
      'Single contracts that change balances without events are normal, and their balances are read from the contract. Many at once point to missing blocks or logs.',
    steps: [
      'Run `firn doctor --chain-id <chain id>`: it finds missing blocks and logs.',
      'Compare one of the contracts in the log with `balanceOf` at the same height.',
    ],
    fires: {
      'firn_evm_differing_contracts_total{job="evm",instance="e:8700",chain="43114",class="rebasing"}':
        '0+1x60',
    },
    silent: {
      'firn_evm_differing_contracts_total{job="evm",instance="e:8700",chain="43114",class="rebasing"}':
        '7+0x60',
    },
  },
  {
    name: 'EvmUpstreamFailing',
    severity: 'warning',
    expr: 'sum by (job, instance, upstream) (rate(firn_evm_upstream_request_seconds_count{outcome!~"ok|answered"}[5m])) / sum by (job, instance, upstream) (rate(firn_evm_upstream_request_seconds_count[5m])) > 0.5',
    for: '10m',
    summary: 'More than half of the requests of {{ $labels.instance }} to {{ $labels.upstream }} fail.',
    meaning: "The indexer uses the chain's other nodes. Without another one it falls behind.",
    steps: [
      'Ask the node for its block number, from the machine of the indexer.',
      'Look at `firn_evm_upstream_faults_total` by code: it tells rate limits from wrong answers and lost connections.',
      'Add a second node to `--chain`.',
    ],
    fires: {
      'firn_evm_upstream_request_seconds_count{job="evm",instance="e:8700",upstream="n:9650",outcome="unreachable"}':
        '0+60x60',
    },
    silent: {
      'firn_evm_upstream_request_seconds_count{job="evm",instance="e:8700",upstream="n:9650",outcome="ok"}':
        '0+60x60',
    },
  },
  {
    name: 'EvmStoreFaults',
    severity: 'critical',
    expr: 'sum by (job, instance, chain) (increase(firn_evm_store_faults_total[10m])) > 5',
    for: '5m',
    summary: 'Chain {{ $labels.chain }} at {{ $labels.instance }} cannot be written to the database.',
    meaning: 'Blocks are retried and not lost, but the data gets old.',
    steps: [
      'Check that PostgreSQL accepts connections, and its free disk.',
      'On a Citus cluster, check every worker: a chain waits for its worker.',
    ],
    fires: {
      'firn_evm_store_faults_total{job="evm",instance="e:8700",chain="43114",code="STORE_UNAVAILABLE"}':
        '0+2x60',
    },
    silent: {
      'firn_evm_store_faults_total{job="evm",instance="e:8700",chain="43114",code="STORE_UNAVAILABLE"}':
        '0+0x60',
    },
  },
  {
    name: 'EvmDiskGrowth',
    severity: 'warning',
    expr: 'sum by (job, chain) (delta(firn_evm_disk_bytes[1h])) > 5e9',
    for: '0m',
    summary: 'Chain {{ $labels.chain }} grows by more than 5 GB an hour.',
    meaning: 'At this rate the disk of PostgreSQL may fill up. During a backfill the growth is expected.',
    steps: [
      'Compare with the free disk of the database server (`df`), and with the capacity guide.',
      'Limit what is kept with `--keep`, such as `traces=90d`.',
      'Extend the disk before it is full: PostgreSQL stops when it cannot write its log.',
    ],
    fires: {
      'firn_evm_disk_bytes{job="evm",instance="e:8700",chain="43114",kind="traces"}': '1e9+2e8x60',
    },
    silent: {
      'firn_evm_disk_bytes{job="evm",instance="e:8700",chain="43114",kind="traces"}': '1e9+1e6x60',
    },
  },
  {
    name: 'EvmNotServed',
    severity: 'warning',
    expr: '(firn_evm_missing_indexes > 0 and delta(firn_evm_missing_indexes[2h]) == 0 and on (job, instance, chain) firn_evm_lag_blocks <= 1088) unless on (instance, chain) (firn_evm_standby == 1)',
    for: '10m',
    summary:
      'Chain {{ $labels.chain }} is at the head, but {{ $value }} indexes are missing and none was built for two hours.',
    meaning: 'Requests for the chain are answered with 503 until all indexes are built.',
    steps: [
      'Search the log for “an index was not built”: a full disk is the usual reason. Building is tried again when there is space.',
      'Look at `pg_stat_progress_create_index` in PostgreSQL: an index of a table with billions of rows takes hours.',
      'Look at `pg_locks`: a long transaction of an operator or a backup keeps an index from being built.',
    ],
    fires: {
      'firn_evm_missing_indexes{job="evm",instance="e:8700",chain="43114"}': '7+0x60',
      'firn_evm_lag_blocks{job="evm",instance="e:8700",chain="43114"}': '2+0x60',
    },
    silent: {
      'firn_evm_missing_indexes{job="evm",instance="e:8700",chain="43114"}': '60-1x60',
      'firn_evm_lag_blocks{job="evm",instance="e:8700",chain="43114"}': '2+0x60',
    },
  },
]
