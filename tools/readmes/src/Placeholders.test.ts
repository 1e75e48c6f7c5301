import { describe, expect, it } from 'vitest'
import { fill } from './Placeholders.ts'

describe('fill', () => {
  it('replaces placeholders with values, the longest placeholder first', () => {
    const values = { '<archive>': '/a', 'postgres://…': 'postgres://x@localhost/y', '…': 'no' }
    expect(fill('index --from <archive> --database-url postgres://…', values)).toBe(
      'index --from /a --database-url postgres://x@localhost/y',
    )
  })

  it('ignores placeholders and hosts in comments', () => {
    expect(fill('firn doctor   # of <any> database, see https://example.org', {})).toBe('firn doctor  ')
  })

  it.each(['--from <archive>', '--to P-avax1…=1'])('rejects a placeholder without a value: %s', (text) => {
    expect(() => fill(text, {})).toThrow(/no value for the placeholder (<archive>|…)/)
  })

  it.each(['curl https://example.org/x', 'firn node --upstream http://10.0.0.2:9650'])(
    'rejects a host that is neither on loopback nor a known public host: %s',
    (text) => {
      expect(() => fill(text, {})).toThrow(/unknown host (example\.org|10\.0\.0\.2)/)
    },
  )

  it.each([
    'curl http://127.0.0.1:8080/x?y',
    'curl "http://localhost"',
    'firn evm --chain https://api.avax-test.network/ext/bc/C/rpc,http://[::1]:1',
  ])('accepts hosts on loopback and known public hosts: %s', (text) => expect(fill(text, {})).toBe(text))
})
