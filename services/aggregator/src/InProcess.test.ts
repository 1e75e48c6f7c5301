import { until } from '@firn/runtime/testing'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createInProcess } from './InProcess.ts'
import { closeAll, failing, message, missed, PATH, setUp } from './testing/app.ts'

afterEach(closeAll)

const log = pino({ level: 'silent' })
const URL_OF_PATH = `http://aggregator.test${PATH}`
const post = (signal?: AbortSignal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
  ...(signal === undefined ? {} : { signal }),
})

describe('createInProcess', () => {
  it('responds like the HTTP interface, but does not check API keys and rate limits', async () => {
    const configuration = { apiKeys: ['secret'], rateLimitPerMinute: 1, successStatus: '201' as const }
    const { dependencies, server } = await setUp({ configuration })
    expect((await server.inject({ method: 'POST', url: PATH, payload: { message } })).statusCode).toBe(401)
    const { fetch, close } = createInProcess(dependencies, log)
    for (let i = 0; i < 3; i++) {
      const response = await fetch(`${URL_OF_PATH}?report=true`, post())
      expect([response.status, await response.json()]).toMatchObject([
        201,
        { signedMessage: 'abcd', report: { totalWeight: '100' } },
      ])
    }
    await close()
  })

  it('returns an error response with its status and, if requested, the report', async () => {
    const { dependencies } = await setUp({ aggregate: failing(missed) })
    const { fetch, close } = createInProcess(dependencies, log)
    const response = await fetch(`${URL_OF_PATH}?report=true`, post())
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { statusCode: 502, message: expect.stringMatching(/./), report: { totalWeight: '100' } },
    ])
    await close()
  })

  it('rejects requests after it was closed, whether or not it has responded to any', async () => {
    const { dependencies } = await setUp({})
    for (const count of [0, 1]) {
      const { fetch, close } = createInProcess(dependencies, log)
      for (let i = 0; i < count; i++) expect((await fetch(URL_OF_PATH, post())).status).toBe(200)
      await close()
      await expect(fetch(URL_OF_PATH, post())).rejects.toThrow('the service is closed')
    }
  })

  it('stops collecting signatures when the caller aborts', async () => {
    let collecting: AbortSignal | undefined
    const { dependencies } = await setUp({
      aggregate: ({ signal }) => {
        collecting = signal
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const { fetch, close } = createInProcess(dependencies, log)
    const caller = new AbortController()
    const answer = fetch(URL_OF_PATH, post(caller.signal))
    answer.catch(() => undefined)
    await until(() => expect(collecting).toBeDefined())
    caller.abort()
    await expect(answer).rejects.toThrow()
    await until(() => expect(collecting?.aborted).toBe(true))
    await expect(fetch(URL_OF_PATH, post(caller.signal))).rejects.toThrow()
    await close()
  })
})
