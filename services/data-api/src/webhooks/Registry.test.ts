import { openEvm } from '@firn/evm-store/testing'
import { Webhooks } from '@firn/service-store'
import { expect, test } from 'vitest'
import * as Source from './common/Source.ts'
import { createRegistry } from './Registry.ts'

const SOURCE = Source.ofEvm(1_337n)

const webhook = (id: string, event_type: string): Webhooks.NewWebhook => ({
  ...{ id, owner: new Uint8Array(32), source: SOURCE, event_type, chain: '1337' },
  ...{ url: 'https://example.com/', host: 'example.com', name: '', description: '', created_at: 0n },
  secret_encoding: 'text',
  settings: { eventSignatures: [], includeInternalTxs: false, includeLogs: false, finality: 'executed' },
  ...{ from_sequence: 0n, keys: [new Uint8Array(20).fill(0x11)] },
})

test('ignores webhooks of a kind that only a newer version knows', async () => {
  const home = await openEvm()
  const registry = createRegistry(home)
  await Webhooks.create(home, webhook('first', 'address_activity'))
  await Webhooks.create(home, webhook('newer', 'of_a_newer_version'))
  await Webhooks.create(home, webhook('last', 'address_activity'))
  await registry.refresh()
  expect(registry.of('address_activity', SOURCE).executed.size).toBe(2)
  await home.close()
})
