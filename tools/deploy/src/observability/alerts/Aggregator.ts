import type { Alert } from '../Alert.ts'

/** Alerts of the signature aggregator. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'AggregatorQuorumFailures',
    severity: 'critical',
    expr: 'sum by (job) (rate(signature_aggregator_agg_sigs_latency_seconds_count{outcome="AGGREGATION_QUORUM_NOT_REACHED"}[10m])) / sum by (job) (rate(signature_aggregator_agg_sigs_latency_seconds_count[10m])) > 0.1',
    for: '5m',
    summary: 'More than a tenth of the messages of {{ $labels.job }} miss their quorum.',
    meaning: 'Relayers cannot deliver these messages.',
    steps: [
      'Read `report` in one of the answers: it names each validator that did not sign, with the reason.',
      'If validators are not connected, see AggregatorStakeDisconnected. If they refuse, the message may not be accepted on its source chain yet.',
      'Aggregate the message with another aggregator, to tell a network problem from one of the validators.',
    ],
    fires: {
      'signature_aggregator_agg_sigs_latency_seconds_count{job="aggregator",instance="s:8080",outcome="AGGREGATION_QUORUM_NOT_REACHED"}':
        '0+10x60',
      'signature_aggregator_agg_sigs_latency_seconds_count{job="aggregator",instance="s:8080",outcome="signed"}':
        '0+30x60',
    },
    silent: {
      'signature_aggregator_agg_sigs_latency_seconds_count{job="aggregator",instance="s:8080",outcome="AGGREGATION_QUORUM_NOT_REACHED"}':
        '4+0x60',
      'signature_aggregator_agg_sigs_latency_seconds_count{job="aggregator",instance="s:8080",outcome="signed"}':
        '0+30x60',
    },
  },
  {
    name: 'AggregatorStakeDisconnected',
    severity: 'critical',
    expr: 'signature_aggregator_connected_stake_weight_percentage < 75',
    for: '10m',
    summary:
      'Only {{ $value }} % of the weight of subnet {{ $labels.subnetID }} is connected to {{ $labels.instance }}.',
    meaning: 'A quorum of 67 % needs nearly every connected validator, and none below 67 %.',
    steps: [
      'Read `/health` of the aggregator: it lists connected validators by subnet.',
      'Check that outgoing connections to port 9651 of validators are allowed.',
      'Add validators that do not announce their address with `--manually-tracked-peers`.',
    ],
    fires: {
      'signature_aggregator_connected_stake_weight_percentage{job="aggregator",instance="s:8080",subnetID="s"}':
        '50+0x60',
    },
    silent: {
      'signature_aggregator_connected_stake_weight_percentage{job="aggregator",instance="s:8080",subnetID="s"}':
        '97+0x60',
    },
  },
  {
    name: 'AggregatorSlow',
    severity: 'warning',
    expr: 'histogram_quantile(0.95, sum by (job, le) (rate(signature_aggregator_agg_sigs_latency_seconds_bucket{outcome="signed"}[10m]))) > 10',
    for: '10m',
    summary: 'One message in twenty of {{ $labels.job }} takes longer than 10 seconds.',
    meaning: 'Relayers deliver late.',
    steps: [
      'Look at the queue: if requests wait, add replicas on the same database, which share signatures.',
      'Look at timeouts of validators: single slow validators are asked in parallel and do not delay a quorum, many do.',
    ],
    fires: {
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="10"}':
        '0+10x60',
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="30"}':
        '0+20x60',
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="+Inf"}':
        '0+20x60',
    },
    silent: {
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="10"}':
        '0+20x60',
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="30"}':
        '0+20x60',
      'signature_aggregator_agg_sigs_latency_seconds_bucket{job="aggregator",instance="s:8080",outcome="signed",le="+Inf"}':
        '0+20x60',
    },
  },
  {
    name: 'AggregatorBusy',
    severity: 'warning',
    expr: 'sum by (job, instance) (increase(signature_aggregator_queue_refused_total[10m])) > 0',
    for: '5m',
    summary: '{{ $labels.instance }} refuses requests because its queue is full.',
    meaning: 'Callers get 503 with `retry-after`.',
    steps: [
      'Look at the requests by caller: limit one that sends too many with `--rate-limit-per-minute`.',
      'Add replicas on the same database.',
    ],
    fires: {
      'signature_aggregator_queue_refused_total{job="aggregator",instance="s:8080"}': '0+5x60',
    },
    silent: {
      'signature_aggregator_queue_refused_total{job="aggregator",instance="s:8080"}': '12+0x60',
    },
  },
  {
    name: 'AggregatorValidatorSets',
    severity: 'critical',
    expr: 'sum by (job, instance) (increase(signature_aggregator_failures_to_get_validator_set[10m])) > 5',
    for: '5m',
    summary: '{{ $labels.instance }} cannot read validator sets.',
    meaning: 'Messages of subnets whose set is not cached cannot be signed.',
    steps: [
      'Ask each `--p-chain-api` for `platform.getHeight`.',
      'Name a second one, or sync the P-chain with `--sync`.',
    ],
    fires: {
      'signature_aggregator_failures_to_get_validator_set{job="aggregator",instance="s:8080"}': '0+3x60',
    },
    silent: {
      'signature_aggregator_failures_to_get_validator_set{job="aggregator",instance="s:8080"}': '2+0x60',
    },
  },
  {
    name: 'AggregatorUpstreamsDisagree',
    severity: 'critical',
    expr: 'sum by (job, instance, subject) (increase(signature_aggregator_upstream_disagreements_total[15m])) > 0',
    for: '0m',
    summary: 'P-chain APIs of {{ $labels.instance }} contradict each other about {{ $labels.subject }}.',
    meaning:
      'One of the APIs lies, is on another network, or has a defect. With `--agree`, the contradicted data is not used.',
    steps: [
      'Read the log: it names the APIs and both answers.',
      'Compare both with a node of your own, and remove the wrong one.',
    ],
    fires: {
      'signature_aggregator_upstream_disagreements_total{job="aggregator",instance="s:8080",subject="validators"}':
        '0+1x60',
    },
    silent: {
      'signature_aggregator_upstream_disagreements_total{job="aggregator",instance="s:8080",subject="validators"}':
        '1+0x60',
    },
  },
  {
    name: 'AggregatorDatabaseDown',
    severity: 'warning',
    expr: 'signature_aggregator_database_up == 0',
    for: '5m',
    summary: '{{ $labels.instance }} cannot reach the database of the message log.',
    meaning:
      'Messages are still signed, but signatures are not shared with other aggregators, and jobs are refused.',
    steps: [
      'Check that PostgreSQL accepts connections from the machine.',
      'Look for statements that wait for locks in `pg_stat_activity`.',
    ],
    fires: {
      'signature_aggregator_database_up{job="aggregator",instance="s:8080"}': '0+0x60',
    },
    silent: {
      'signature_aggregator_database_up{job="aggregator",instance="s:8080"}': '1+0x60',
    },
  },
]
