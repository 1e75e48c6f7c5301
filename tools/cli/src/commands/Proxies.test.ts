import { describe, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const CHAIN = ['--chain', '1=http://127.0.0.1:9/rpc']
const COMMANDS = [
  ['data-api', []],
  ['up', CHAIN],
  ['evm', CHAIN],
  ['gateway', CHAIN],
  ['node', []],
] as const

describe.each(COMMANDS)('firn %s', (name, more) => {
  test('rejects --trust-proxy and names its replacement', async () => {
    const { code, notes } = startFirn([name, ...more, '--trust-proxy'])
    expect(await code).toBe(2)
    expect(notes.join('\n')).toContain('--trust-proxy was removed')
  })

  test('rejects --proxies together with --trusted-proxies', async () => {
    const { code, notes } = startFirn([name, ...more, '--proxies', '1', '--trusted-proxies', '10.0.0.1'])
    expect(await code).toBe(2)
    expect(notes.join('\n')).toMatch(/cannot be combined/)
  })
})
