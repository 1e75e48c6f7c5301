import { TrustedProxies } from '@firn/http'
import { Command } from 'commander'
import { describe, expect, test, vi } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'
import { withProxies } from './Flags.ts'

const CHAIN = ['--chain', '1=http://127.0.0.1:9/rpc']
const COMMANDS = [
  ['data-api', []],
  ['up', []],
  ['evm', []],
  ['gateway', CHAIN],
  ['node', []],
] as const

describe.each(COMMANDS)('firn %s', (name, more) => {
  test('refuses --trust-proxy and says what replaces it', async () => {
    const { code, notes } = startFirn([name, ...more, '--trust-proxy'])
    expect(await code).not.toBe(0)
    expect(notes.join('\n')).toContain(TrustedProxies.REMOVED)
  })

  test('refuses both a count and addresses of proxies', async () => {
    const { code, notes } = startFirn([name, ...more, '--proxies', '1', '--trusted-proxies', '10.0.0.1'])
    expect(await code).not.toBe(0)
    expect(notes.join('\n')).toMatch(/exclude each other|cannot be used with/)
  })
})

describe('withProxies', () => {
  const parse = (...argv: readonly string[]) => {
    const command = withProxies(new Command())
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
    return command.parse(argv, { from: 'user' }).opts()
  }

  test('reads a count, or addresses and networks separated by commas or repeated', () => {
    expect(parse()).toEqual({})
    expect(parse('--proxies', '2')).toEqual({ proxies: 2 })
    expect(parse('--trusted-proxies', '10.0.0.1, fd00::/8', '--trusted-proxies', '::1')).toEqual({
      trustedProxies: ['10.0.0.1', 'fd00::/8', '::1'],
    })
  })

  test.each([
    [['--proxies', '-1'], /number of proxies|argument missing|unknown option/],
    [['--proxies', 'one'], /Expected a number of proxies/],
    [['--trusted-proxies', 'proxy.local'], /expected addresses or networks/],
  ])('refuses %j', (argv, message) => {
    expect(() => parse(...argv)).toThrow(message)
  })

  test('reads the environment, and refuses the removed variable there, too', () => {
    vi.stubEnv('FIRN_TRUSTED_PROXIES', '10.0.0.1,10.0.0.2')
    expect(parse()).toEqual({ trustedProxies: ['10.0.0.1', '10.0.0.2'] })
    vi.unstubAllEnvs()
    vi.stubEnv('FIRN_TRUST_PROXY', 'false')
    expect(() => parse()).toThrow(TrustedProxies.REMOVED)
    vi.unstubAllEnvs()
  })
})
