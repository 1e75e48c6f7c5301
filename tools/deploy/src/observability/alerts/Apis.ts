import type { Alert } from '../Alert.ts'

/** Alerts of the Data API, the node API and the gateway. */
export const ALERTS: readonly Alert[] = [
  {
    name: 'DataApiErrors',
    severity: 'critical',
    expr: 'sum by (job) (rate(firn_data_api_request_seconds_count{status=~"5.."}[5m])) / sum by (job) (rate(firn_data_api_request_seconds_count[5m])) > 0.05',
    for: '5m',
    summary: 'More than 5 % of the responses of {{ $labels.job }} are errors of the server.',
    meaning: 'Clients get 500, 503 or 504.',
    steps: [
      'Look at the errors by route and status on the dashboard.',
      '503 and 504: the database is away or too slow. 500: read the log, and report it.',
    ],
    fires: {
      'firn_data_api_request_seconds_count{job="data-api",instance="d:8700",route="/v1/x",status="503"}':
        '0+10x60',
      'firn_data_api_request_seconds_count{job="data-api",instance="d:8700",route="/v1/x",status="200"}':
        '0+90x60',
    },
    silent: {
      'firn_data_api_request_seconds_count{job="data-api",instance="d:8700",route="/v1/x",status="503"}':
        '5+0x60',
      'firn_data_api_request_seconds_count{job="data-api",instance="d:8700",route="/v1/x",status="200"}':
        '0+90x60',
      'firn_data_api_request_seconds_count{job="data-api",instance="d:8700",route="/v1/x",status="429"}':
        '0+50x60',
    },
  },
  {
    name: 'DataApiSlow',
    severity: 'warning',
    expr: 'histogram_quantile(0.99, sum by (job, le) (rate(firn_data_api_request_seconds_bucket[10m]))) > 2.5',
    for: '10m',
    summary: 'One response in a hundred of {{ $labels.job }} takes longer than 2.5 seconds.',
    meaning: 'Some pages load slowly, and requests may reach `--request-timeout`.',
    steps: [
      'Look at the time by route on the dashboard.',
      'Look at the load and the cache hit ratio of PostgreSQL; see the capacity guide for its memory.',
      'Add a replica, or a standby server of PostgreSQL.',
    ],
    fires: {
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="2.5"}':
        '0+10x60',
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="5"}':
        '0+20x60',
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="+Inf"}':
        '0+20x60',
    },
    silent: {
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="2.5"}':
        '0+20x60',
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="5"}':
        '0+20x60',
      'firn_data_api_request_seconds_bucket{job="data-api",instance="d:8700",route="/v1/x",status="200",le="+Inf"}':
        '0+20x60',
    },
  },
  {
    name: 'NodeUpstreamsDown',
    severity: 'critical',
    expr: 'max by (job, instance) (firn_node_upstream_healthy) == 0',
    for: '5m',
    summary: 'No upstream of the node API at {{ $labels.instance }} responds.',
    meaning:
      "Stored data is served. Requests that are forwarded, such as the C-chain's Ethereum RPC and issued transactions, fail.",
    steps: [
      'Ask each `--upstream` for its health: `curl http://<node>:9650/ext/health`.',
      'Add another node to `--upstream`.',
    ],
    fires: {
      'firn_node_upstream_healthy{job="node",instance="n:8701",url="http://a:9650"}': '0+0x60',
      'firn_node_upstream_healthy{job="node",instance="n:8701",url="http://b:9650"}': '0+0x60',
    },
    silent: {
      'firn_node_upstream_healthy{job="node",instance="n:8701",url="http://a:9650"}': '0+0x60',
      'firn_node_upstream_healthy{job="node",instance="n:8701",url="http://b:9650"}': '1+0x60',
    },
  },
  {
    name: 'GatewayNodeDown',
    severity: 'warning',
    expr: 'firn_gateway_node_up == 0',
    for: '10m',
    summary:
      'The gateway at {{ $labels.instance }} does not use {{ $labels.node }} of chain {{ $labels.chain }}: it does not respond.',
    meaning: 'Other nodes of the chain get its requests.',
    steps: ['Ask the node for its block number.', 'Remove it from `--chain` if it stays unreachable.'],
    fires: {
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="a:9650"}': '0+0x60',
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="b:9650"}': '1+0x60',
    },
    silent: {
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="a:9650"}': '1+0x60',
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="b:9650"}': '1+0x60',
    },
  },
  {
    name: 'GatewayChainDown',
    severity: 'critical',
    expr: 'max by (job, instance, chain) (firn_gateway_node_up) == 0',
    for: '2m',
    summary: 'No node of chain {{ $labels.chain }} responds to the gateway at {{ $labels.instance }}.',
    meaning: 'All requests for the chain fail.',
    steps: [
      'Ask each node of the chain for its block number, from the machine of the gateway.',
      'Add a node of another provider to `--chain`.',
    ],
    fires: {
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="a:9650"}': '0+0x60',
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="b:9650"}': '0+0x60',
    },
    silent: {
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="a:9650"}': '0+0x60',
      'firn_gateway_node_up{job="gateway",instance="g:8702",chain="43114",node="b:9650"}': '1+0x60',
    },
  },
  {
    name: 'GatewayErrors',
    severity: 'critical',
    expr: 'sum by (job, chain) (rate(firn_gateway_requests_total{status=~"5.."}[5m])) / sum by (job, chain) (rate(firn_gateway_requests_total[5m])) > 0.05',
    for: '5m',
    summary: 'More than 5 % of the requests for chain {{ $labels.chain }} fail at the gateway.',
    meaning: 'Clients get 502, 503 or 504.',
    steps: [
      'Look at the nodes of the chain on the dashboard.',
      '503: the limits of the gateway itself are reached. Raise `--requests`, or add replicas.',
    ],
    fires: {
      'firn_gateway_requests_total{job="gateway",instance="g:8702",chain="43114",status="502"}': '0+10x60',
      'firn_gateway_requests_total{job="gateway",instance="g:8702",chain="43114",status="200"}': '0+90x60',
    },
    silent: {
      'firn_gateway_requests_total{job="gateway",instance="g:8702",chain="43114",status="502"}': '5+0x60',
      'firn_gateway_requests_total{job="gateway",instance="g:8702",chain="43114",status="200"}': '0+90x60',
    },
  },
  {
    name: 'UsageLost',
    severity: 'warning',
    expr: 'max by (job, instance) (delta(firn_gateway_usage_dropped[15m])) > 0',
    for: '0m',
    summary: 'The gateway at {{ $labels.instance }} does not count all requests.',
    meaning: 'Requests are served, but are missing in the usage statistics.',
    steps: ['Check that the database accepts connections, and look at `firn_gateway_usage_waiting`.'],
    fires: {
      'firn_gateway_usage_dropped{job="gateway",instance="g:8702"}': '0+5x60',
    },
    silent: {
      'firn_gateway_usage_dropped{job="gateway",instance="g:8702"}': '9+0x60',
    },
  },
]
