import { RpcError } from '@firn/rpc'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import * as UpstreamMetrics from './UpstreamMetrics.ts'

it('counts requests and their seconds by node and outcome', async () => {
  const registry = new Registry()
  const observe = UpstreamMetrics.create('firn_node', registry)
  observe({ upstream: 'a:9650', milliseconds: 20, failure: undefined })
  observe({ upstream: 'a:9650', milliseconds: 30, failure: undefined })
  observe({ upstream: 'b:9650', milliseconds: 5_000, failure: 'timeout' })
  observe({ upstream: 'b:9650', milliseconds: 5_000, failure: new RpcError('RPC_TIMEOUT', 'late') })
  const text = await registry.metrics()
  expect(text).toContain('firn_node_upstream_request_seconds_sum{upstream="a:9650",outcome="ok"} 0.05')
  expect(text).toContain('firn_node_upstream_request_seconds_count{upstream="b:9650",outcome="timeout"} 2')
})
