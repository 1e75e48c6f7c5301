import { expect, it } from 'vitest'
import * as Metrics from './Metrics.ts'

it('knows the services of every metric that dashboards and alerts use', () => {
  expect(Metrics.used().filter(({ metric }) => Metrics.servicesOf(metric).length === 0)).toEqual([])
  expect(Metrics.used().length).toBeGreaterThan(100)
})

it('reports metrics and labels that a service lacks, and metrics without samples', () => {
  const text = `# TYPE firn_gateway_requests_total counter
firn_gateway_requests_total{chain="1"} 2
# TYPE firn_gateway_node_up gauge
# TYPE firn_gateway_request_seconds histogram
firn_gateway_request_seconds_bucket{chain="1",le="+Inf"} 1
`
  const { metrics, labels, withoutSamples } = Metrics.findMissing('gateway', text)
  expect(metrics).toContain('firn_gateway_credits_total')
  expect(metrics).not.toContain('firn_gateway_request_seconds_bucket')
  expect(labels).toEqual(['firn_gateway_requests_total{status}'])
  expect(withoutSamples).toContain('firn_gateway_node_up')
})
