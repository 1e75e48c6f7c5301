import { connectionPanels, type Dashboard, panel, percentiles, processPanels } from './Dashboard.ts'

const AGGREGATOR: Dashboard = {
  name: 'aggregator',
  title: 'signature aggregator',
  rows: {
    Requests: [
      panel('Messages by outcome', 'reqps', {
        '{{outcome}}': 'sum by (outcome) (rate(signature_aggregator_agg_sigs_latency_seconds_count[5m]))',
      }),
      percentiles('Time to a signed message', 'signature_aggregator_agg_sigs_latency_seconds', 'outcome'),
      panel('In progress and waiting', 'short', {
        'in progress {{instance}}': 'signature_aggregator_in_flight',
        'waiting {{instance}}': 'signature_aggregator_queue_length',
      }),
      panel('Refused', 'ops', {
        'queue {{instance}}': 'rate(signature_aggregator_queue_refused_total[5m])',
        'memory {{instance}}': 'rate(signature_aggregator_memory_refused_total[5m])',
      }),
    ],
    Validators: [
      panel('Connected weight', 'percent', {
        '{{subnetID}}': 'min by (subnetID) (signature_aggregator_connected_stake_weight_percentage)',
      }),
      panel('Requests to validators by outcome', 'ops', {
        '{{kind}}': 'sum by (kind) (rate(signature_aggregator_app_answers_total[5m]))',
      }),
      panel('Signatures found and requested', 'ops', {
        cache: 'sum by (job) (rate(signature_aggregator_signature_cache_hits[5m]))',
        requested: 'sum by (job) (rate(signature_aggregator_signature_cache_misses[5m]))',
      }),
      panel('Wrong signatures', 'ops', {
        '{{nodeID}}': 'sum by (nodeID) (rate(signature_aggregator_wrong_signatures_total[5m]))',
      }),
    ],
    Upstream: [
      percentiles('Time to read a validator set', 'signature_aggregator_validator_set_fetch_seconds', 'job'),
      panel('Failures', 'ops', {
        'validator sets {{instance}}': 'rate(signature_aggregator_failures_to_get_validator_set[5m])',
        'disagreements {{subject}}': 'rate(signature_aggregator_upstream_disagreements_total[5m])',
      }),
      panel('Connections: events', 'ops', {
        '{{event}}': 'sum by (event) (rate(signature_aggregator_p2p_events_total[5m]))',
      }),
    ],
    Connections: connectionPanels('signature_aggregator'),
    Process: processPanels('aggregator'),
  },
}

const INDEXER: Dashboard = {
  name: 'indexer',
  title: 'indexers',
  rows: {
    'Primary Network': [
      panel('Blocks behind the source', 'short', {
        '{{chain}} {{instance}}': 'firn_indexer_source_height - firn_indexer_height',
      }),
      panel('Blocks per second', 'ops', { '{{chain}}': 'rate(firn_indexer_blocks_total[5m])' }),
      panel('Time by stage', 'percentunit', { '{{stage}}': 'rate(firn_indexer_stage_seconds_total[5m])' }),
      panel('Healthy and standing by', 'bool_yes_no', {
        'healthy {{instance}}': 'firn_indexer_healthy',
        'standby {{instance}}': 'firn_indexer_standby',
      }),
    ],
    'Sources of the Primary Network': [
      panel('Requests by outcome', 'reqps', {
        '{{upstream}} {{outcome}}':
          'sum by (upstream, outcome) (rate(firn_indexer_upstream_request_seconds_count[5m]))',
      }),
      percentiles('Time of requests', 'firn_indexer_upstream_request_seconds', 'upstream'),
      panel('Faults', 'ops', {
        'source {{chain}} {{code}}': 'rate(firn_indexer_source_faults_total[5m])',
        'refused {{chain}} {{reason}}': 'rate(firn_indexer_refused_blocks_total[5m])',
        'database {{code}}': 'rate(firn_indexer_store_faults_total[5m])',
      }),
    ],
    'EVM chains': [
      panel('Blocks behind the head', 'short', { '{{chain}} {{instance}}': 'firn_evm_lag_blocks' }),
      panel('Blocks per second', 'ops', { '{{chain}}': 'rate(firn_evm_blocks_total[5m])' }),
      percentiles('From announcement to readable', 'firn_evm_head_latency_seconds', 'chain'),
      panel('Blocks removed by reorgs', 'ops', { '{{chain}}': 'rate(firn_evm_undone_blocks_total[5m])' }),
    ],
    'Nodes of EVM chains': [
      panel('Requests by outcome', 'reqps', {
        '{{upstream}} {{outcome}}':
          'sum by (upstream, outcome) (rate(firn_evm_upstream_request_seconds_count[5m]))',
      }),
      percentiles('Time of requests', 'firn_evm_upstream_request_seconds', 'upstream'),
      panel('Faults', 'ops', {
        '{{chain}} {{upstream}} {{code}}': 'rate(firn_evm_upstream_faults_total[5m])',
        'database {{chain}} {{code}}': 'rate(firn_evm_store_faults_total[5m])',
      }),
    ],
    Data: [
      panel('Size on disk', 'bytes', { '{{chain}} {{kind}}': 'firn_evm_disk_bytes' }),
      panel('Blocks with unchecked balances', 'short', { '{{chain}}': 'firn_evm_check_lag_blocks' }),
      panel('Missing indexes', 'short', { '{{chain}}': 'firn_evm_missing_indexes' }),
      panel('Contracts whose balances differ', 'ops', {
        '{{chain}} {{class}}': 'rate(firn_evm_differing_contracts_total[1h])',
      }),
    ],
    Process: processPanels('evm'),
  },
}

const DATA_API: Dashboard = {
  name: 'data-api',
  title: 'Data API',
  rows: {
    Requests: [
      panel('Requests by status', 'reqps', {
        '{{status}}': 'sum by (status) (rate(firn_data_api_request_seconds_count[5m]))',
      }),
      percentiles('Time of all requests', 'firn_data_api_request_seconds', 'job'),
      panel('Share of errors', 'percentunit', {
        '{{instance}}':
          'sum by (instance) (rate(firn_data_api_request_seconds_count{status=~"5.."}[5m])) / sum by (instance) (rate(firn_data_api_request_seconds_count[5m]))',
      }),
    ],
    Routes: [
      panel('Requests by route', 'reqps', {
        '{{route}}': 'sum by (route) (rate(firn_data_api_request_seconds_count[5m]))',
      }),
      panel('Time by route (p99)', 's', {
        '{{route}}':
          'histogram_quantile(0.99, sum by (route, le) (rate(firn_data_api_request_seconds_bucket[5m])))',
      }),
    ],
    Connections: connectionPanels('firn_data_api'),
    Process: processPanels('data-api'),
  },
}

const NODE: Dashboard = {
  name: 'node',
  title: 'node API',
  rows: {
    Requests: [
      panel('Requests by path', 'reqps', { '{{base}}': 'sum by (base) (rate(avalanche_api_calls[5m]))' }),
      panel('Mean time by path', 'ns', {
        '{{base}}':
          'sum by (base) (rate(avalanche_api_calls_duration[5m])) / sum by (base) (rate(avalanche_api_calls[5m]))',
      }),
      panel('In progress', 'short', { '{{base}}': 'sum by (base) (avalanche_api_calls_processing)' }),
    ],
    Data: [
      panel('Heights', 'short', { '{{chain}} {{instance}}': 'firn_node_height' }),
      panel('Upstreams', 'bool_yes_no', { '{{url}} {{instance}}': 'firn_node_upstream_healthy' }),
      panel('Cached responses', 'percentunit', {
        '{{instance}}':
          'rate(firn_node_answer_cache_hits[5m]) / (rate(firn_node_answer_cache_hits[5m]) + rate(firn_node_answer_cache_misses[5m]))',
      }),
      panel('Cache', 'bytes', { '{{instance}}': 'firn_node_answer_cache_bytes' }),
    ],
    Connections: connectionPanels('firn_node'),
    Process: processPanels('node'),
  },
}

const GATEWAY: Dashboard = {
  name: 'gateway',
  title: 'RPC gateway',
  rows: {
    Requests: [
      panel('Requests by chain and status', 'reqps', {
        '{{chain}} {{status}}': 'sum by (chain, status) (rate(firn_gateway_requests_total[5m]))',
      }),
      percentiles('Time of requests', 'firn_gateway_request_seconds', 'chain'),
      panel('Credits', 'ops', { '{{chain}}': 'sum by (chain) (rate(firn_gateway_credits_total[5m]))' }),
    ],
    Nodes: [
      panel('Nodes that respond', 'bool_yes_no', { '{{chain}} {{node}}': 'firn_gateway_node_up' }),
      panel('Requests to nodes by outcome', 'reqps', {
        '{{upstream}} {{outcome}}':
          'sum by (upstream, outcome) (rate(firn_gateway_upstream_request_seconds_count[5m]))',
      }),
      percentiles('Time of requests to nodes', 'firn_gateway_upstream_request_seconds', 'upstream'),
    ],
    Limits: [
      panel('Requests in progress', 'short', { '{{instance}}': 'firn_gateway_requests' }),
      panel('Usage: waiting and lost', 'short', {
        'waiting {{instance}}': 'firn_gateway_usage_waiting',
        'lost {{instance}}': 'firn_gateway_usage_dropped',
      }),
    ],
    Connections: connectionPanels('firn_gateway'),
    Process: processPanels('gateway'),
  },
}

/** All dashboards. */
export const DASHBOARDS: readonly Dashboard[] = [INDEXER, AGGREGATOR, DATA_API, NODE, GATEWAY]
