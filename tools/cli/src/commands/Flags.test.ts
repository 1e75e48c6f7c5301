import { Command } from 'commander'
import { expect, test } from 'vitest'
import { withNetwork } from './Flags.ts'

const parse = (...argv: readonly string[]) => {
  const command = withNetwork(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return command.parse(argv, { from: 'user' }).opts()['networkId']
}

test('a network goes by its name or its number, behind either flag', () => {
  for (const flag of ['--network', '--network-id']) {
    const found = ['fuji', '5', 'mainnet', 'local', 'network-1337', '1337'].map((name) => parse(flag, name))
    expect([flag, found]).toEqual([flag, [5, 5, 1, 12345, 1337, 1337]])
    expect(() => parse(flag, 'moon')).toThrow(/Expected mainnet, fuji, local, network-<id> or an id/)
  }
  expect(parse()).toBeUndefined()
})
