import type { AggregationRequest } from '@firn/aggregation'
import { until } from '@firn/runtime/testing'
import { afterEach, expect, it } from 'vitest'
import { closeAll, GO_PATH, message, PATH, setUp } from '../testing/app.ts'

afterEach(closeAll)

/** A fake aggregation that ends when it is aborted. */
const untilAborted = ({ signal }: AggregationRequest) =>
  new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

it('responds with 503 to requests in progress when the shutdown time-out is almost over', async () => {
  const { post, asked, server } = await setUp({
    configuration: { shutdownTimeout: 100 },
    aggregate: untilAborted,
  })
  const responses = [PATH, GO_PATH].map((url) => post({ message }, { url }))
  await until(() => expect(asked.length).toBeGreaterThan(0))
  await server.close()
  for (const { status, body, headers } of await Promise.all(responses)) {
    const reason = headers['firn-reason'] ?? body.message
    expect([status, reason]).toEqual([expect.any(Number), 'the service is shutting down'])
    expect(status).toBeGreaterThanOrEqual(500)
  }
})
