import type { Alert } from '../Alert.ts'

/** Alerts of the indexer of the Primary Network. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'IndexerUnhealthy',
    severity: 'critical',
    expr: 'firn_indexer_healthy == 0',
    for: '5m',
    summary: 'The indexer at {{ $labels.instance }} reports problems.',
    meaning: 'New blocks may be missing. Stored data is served as before.',
    steps: [
      'Read `problems` in `/health` of the indexer: it names the cause.',
      'If the upstream fails, see UpstreamFailing. If the database fails, see StoreFaults.',
    ],
    fires: {
      'firn_indexer_healthy{job="indexer",instance="a:8700"}': '0+0x60',
    },
    silent: {
      'firn_indexer_healthy{job="indexer",instance="a:8700"}': '1+0x60',
    },
  },
  {
    name: 'IndexerBehind',
    severity: 'critical',
    expr: '(firn_indexer_source_height - firn_indexer_height > 100) unless on (instance) (firn_indexer_standby == 1)',
    for: '10m',
    summary:
      'The {{ $labels.chain }}-chain at {{ $labels.instance }} is {{ $value }} blocks behind its source.',
    meaning:
      'Clients read old balances and validators. After a first start or an outage the alert is expected until the indexer has caught up.',
    steps: [
      'Look at blocks per second on the dashboard: if it is above the rate of new blocks, wait.',
      'Look at the seconds per stage: `fetch` points to the source, `write` to the database.',
      'Run `firn sync status --url http://<indexer>:8700` for the time left.',
    ],
    fires: {
      'firn_indexer_source_height{job="indexer",instance="a:8700",chain="P"}': '1000+10x60',
      'firn_indexer_height{job="indexer",instance="a:8700",chain="P"}': '800+0x60',
      'firn_indexer_standby{job="indexer",instance="a:8700"}': '0+0x60',
    },
    silent: {
      'firn_indexer_source_height{job="indexer",instance="a:8700",chain="P"}': '1000+10x60',
      'firn_indexer_height{job="indexer",instance="a:8700",chain="P"}': '999+10x60',
      'firn_indexer_standby{job="indexer",instance="a:8700"}': '0+0x60',
    },
  },
  {
    name: 'IndexerNoNewBlocks',
    severity: 'warning',
    expr: 'time() - max by (job) (firn_indexer_block_time_seconds{chain="P"}) > 900',
    for: '5m',
    summary: 'The last stored P-chain block of {{ $labels.job }} is older than 15 minutes.',
    meaning: 'Either no process writes blocks, or all sources of blocks have stopped at the same height.',
    steps: [
      'Compare the height with the height of another node of the network (`platform.getHeight`).',
      'If the network continues, see IndexerUnhealthy and NoWriter. On a quiet test network, raise the limit.',
    ],
    fires: {
      'firn_indexer_block_time_seconds{job="indexer",instance="a:8700",chain="P"}': '60+0x60',
    },
    silent: {
      'firn_indexer_block_time_seconds{job="indexer",instance="a:8700",chain="P"}': '0+60x60',
    },
  },
  {
    name: 'NoWriter',
    severity: 'critical',
    expr: 'min by (job) (firn_indexer_standby) == 1',
    for: '5m',
    summary: 'All indexers of {{ $labels.job }} stand by: none writes blocks.',
    meaning:
      'Another process, which Prometheus does not know, holds the lease of the schema, or a lost process held it and its lease has not ended.',
    steps: [
      'A lease ends within a minute: if the alert persists, look for another writer among the connections in `pg_stat_activity`.',
      'Compare the clocks of the servers.',
    ],
    fires: {
      'firn_indexer_standby{job="indexer",instance="a:8700"}': '1+0x60',
      'firn_indexer_standby{job="indexer",instance="b:8700"}': '1+0x60',
    },
    silent: {
      'firn_indexer_standby{job="indexer",instance="a:8700"}': '0+0x60',
      'firn_indexer_standby{job="indexer",instance="b:8700"}': '1+0x60',
    },
  },
  {
    name: 'IndexerRefusesBlocks',
    severity: 'critical',
    expr: 'sum by (job, instance, chain, reason) (increase(firn_indexer_refused_blocks_total[15m])) > 0',
    for: '0m',
    summary: '{{ $labels.instance }} refuses blocks of the {{ $labels.chain }}-chain: {{ $labels.reason }}.',
    meaning:
      'A source sends blocks that are invalid, or the network has upgraded and this version does not know the new rules. Indexing stops at that block.',
    steps: [
      'Read the log line of the refused block.',
      "Compare the version with the network's upgrade schedule, and update Firn.",
      'If only one upstream sends such blocks, remove it from `--upstream`.',
    ],
    fires: {
      'firn_indexer_refused_blocks_total{job="indexer",instance="a:8700",chain="P",reason="SIGNATURE",origin="upstream"}':
        '0+1x60',
    },
    silent: {
      'firn_indexer_refused_blocks_total{job="indexer",instance="a:8700",chain="P",reason="SIGNATURE",origin="upstream"}':
        '3+0x60',
    },
  },
  {
    name: 'StoreFaults',
    severity: 'critical',
    expr: 'sum by (job, instance) (increase(firn_indexer_store_faults_total[10m])) > 5',
    for: '5m',
    summary: '{{ $labels.job }} at {{ $labels.instance }} cannot write to its database.',
    meaning: 'Blocks are retried and not lost, but the data gets old.',
    steps: [
      'Check that PostgreSQL accepts connections, and its free disk: `df`, `pg_stat_activity`, its log.',
      'Compare `max_connections` with the number of services.',
    ],
    fires: {
      'firn_indexer_store_faults_total{job="indexer",instance="a:8700",code="STORE_UNAVAILABLE"}': '0+2x60',
    },
    silent: {
      'firn_indexer_store_faults_total{job="indexer",instance="a:8700",code="STORE_UNAVAILABLE"}': '0+0x60',
    },
  },
  {
    name: 'UpstreamFailing',
    severity: 'warning',
    expr: 'sum by (job, instance, upstream) (rate(firn_indexer_upstream_request_seconds_count{outcome!~"ok|answered"}[5m])) / sum by (job, instance, upstream) (rate(firn_indexer_upstream_request_seconds_count[5m])) > 0.5',
    for: '10m',
    summary: 'More than half of the requests of {{ $labels.instance }} to {{ $labels.upstream }} fail.',
    meaning: 'The indexer uses its other upstreams. Without another one it falls behind.',
    steps: [
      'Ask the node for its health: `curl http://<node>:9650/ext/health`.',
      'Look at the outcomes on the dashboard: `limited` is a rate limit, `unreachable` a network or a node that is not running.',
      'Add a second node to `--upstream`.',
    ],
    fires: {
      'firn_indexer_upstream_request_seconds_count{job="indexer",instance="a:8700",upstream="n:9650",outcome="unreachable"}':
        '0+60x60',
    },
    silent: {
      'firn_indexer_upstream_request_seconds_count{job="indexer",instance="a:8700",upstream="n:9650",outcome="unreachable"}':
        '0+1x60',
      'firn_indexer_upstream_request_seconds_count{job="indexer",instance="a:8700",upstream="n:9650",outcome="ok"}':
        '0+60x60',
    },
  },
]
