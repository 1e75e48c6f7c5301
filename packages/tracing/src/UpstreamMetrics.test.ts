import { RpcError } from '@firn/rpc'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import * as UpstreamMetrics from './UpstreamMetrics.ts'

it('counts requests and their seconds by node and outcome', async () => {
  const registry = new Registry()
  let now = 0
  const observe = UpstreamMetrics.create('firn_node', registry, { clock: { now: () => now } })
  const request = (upstream: string, milliseconds: number, failure?: RpcError | 'timeout') => {
    const { end } = observe({ upstream, methods: ['info.getNetworkID'] })
    now += milliseconds
    end(failure)
  }
  request('a:9650', 20)
  request('a:9650', 30)
  request('b:9650', 5_000, 'timeout')
  request('b:9650', 5_000, new RpcError('RPC_TIMEOUT', 'late'))
  const text = await registry.metrics()
  expect(text).toContain('firn_node_upstream_request_seconds_sum{upstream="a:9650",outcome="ok"} 0.05')
  expect(text).toContain('firn_node_upstream_request_seconds_count{upstream="b:9650",outcome="timeout"} 2')
})
