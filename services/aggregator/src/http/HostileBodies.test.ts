import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeAll, GO_PATH, PATH, setUp } from '../testing/app.ts'

const SIZE = 5 * 1024 * 1024 - 64
const fill = (part: string, start: string, end: string) =>
  start + part.repeat((SIZE - start.length - end.length) / part.length) + end

/** Bodies of 5 MB that are dear to parse, to check, or to show in an error. */
const BODIES: Readonly<Record<string, string>> = {
  'a number of 5 million digits': fill('9', '{"message":', '}'),
  'a negative number of 5 million digits': fill('9', '{"deadlineMs":-', '}'),
  'small numbers': fill('1,', '[', '1]'),
  'small numbers in a member': fill('1,', '{"message":[', '1]}'),
  'integers beyond 2^53': fill('18446744073709551615,', '{"messages":[', '1]}'),
  'empty objects': fill('{},', '{"messages":[', '{}]}'),
  'empty keys': fill('"":0,', '{', '"":0}'),
  'different keys': `{${Array.from({ length: 400_000 }, (_, i) => `"${i}":0`).join()}}`,
  'nested arrays': '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2),
  'nested objects': fill('{"message":', '', ''),
  'nested in a member': `{"message":${'['.repeat(SIZE / 4)}${']'.repeat(SIZE / 4)}}`,
  'one long string': fill('z', '{"message":"', '"}'),
  'one string of escapes': fill('\\u0000', '{"message":"', '"}'),
  'a long key': fill('k', '{"', '":1}'),
  backslashes: fill('\\', '{"message":"', '"}'),
}
const PATHS = [PATH, `${PATH}:batch`, GO_PATH, '/v1/validity/local', '/v1/messages']

let service: Awaited<ReturnType<typeof setUp>>
beforeAll(async () => {
  service = await setUp({ configuration: { rateLimitPerMinute: 0 } })
})
afterAll(closeAll)

describe.each(Object.entries(BODIES))('%s', (_name, body) => {
  it.each(PATHS)('is refused with a short error at %s', async (url) => {
    const parsed = vi.spyOn(JSON, 'parse')
    const { statusCode, body: answer } = await service.server.inject({ method: 'POST', url, payload: body })
    const characters = parsed.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
    parsed.mockRestore()
    expect([400, 404]).toContain(statusCode)
    expect(answer.length).toBeLessThan(700)
    // At most what the test parses, or one long string and its excerpt.
    expect(characters).toBeLessThan(3 * SIZE)
  })
})
