import { randomBytes } from 'node:crypto'
import { createKey, listKeys, revokeKey, setKeyScopes } from '@firn/data-api'
import { ChainStores } from '@firn/evm-store'
import { ApiKey } from '@firn/http'
import { Database } from '@firn/indexer'
import { Command, Common, NamedChains, option, type Terminal, Type, type Values } from '@firn/options'
import type { ServiceStore } from '@firn/service-store'
import { CliError } from '../CliError.ts'

const PLACE = {
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK_ID,
  chainId: option(NamedChains.ID, {
    help: 'Manage the keys of the EVM chain with this id instead of the Primary Network’s keys. firn evm and firn data-api --chain read the keys of their first chain.',
  }),
}
type Place = Values<typeof PLACE>
const units = (help: string) =>
  option(Type.integer(0, 999_999_999, 'units'), { defaultText: 'the default of the service', help })

const KEY_OPERAND: Command.Operand = {
  name: 'key',
  help: 'The whole key, its id, or at least the first eight characters of either.',
}

const CREATE_OPTIONS = {
  name: option(Type.text, { isRequired: true, help: "Name of the key's holder." }),
  scope: option(Type.list(Type.choice(...ApiKey.SCOPES)), {
    defaultText: 'all but admin',
    help: `Scope of the key: ${ApiKey.SCOPES.join(', ')}. Repeat the option for more scopes. admin is for the endpoints and pages for operators.`,
  }),
  unitsPerMinute: units('Maximum compute units per minute.'),
  unitsPerDay: units('Maximum compute units per day.'),
  ...PLACE,
}

/** The options of `firn keys create`. */
export type CreateOptions = Values<typeof CREATE_OPTIONS>

export const CREATE = Command.create({
  description: 'Creates an API key of the Data API and shows it once.',
  example: '--name me --scope data',
  options: CREATE_OPTIONS,
  run: (options, { terminal }) => create(options, terminal),
})

export const LIST = Command.create({
  description: 'Lists API keys by their first characters.',
  example: '',
  options: PLACE,
  run: (options, { terminal }) => list(options, terminal),
})

const SCOPE_OPTIONS = {
  scope: option(Type.list(Type.choice(...ApiKey.SCOPES)), {
    isRequired: true,
    help: 'New scope of the key. Repeat the option for more scopes.',
  }),
  ...PLACE,
}

export const SCOPE = Command.create({
  description: 'Replaces the scopes of an API key.',
  example: 'firn_1a2b3c4d --scope data --scope metrics',
  operands: [KEY_OPERAND],
  options: SCOPE_OPTIONS,
  run: (options, { operands: [key = ''], terminal }) => setScopes(key, options, terminal),
})

export const REVOKE = Command.create({
  description: 'Revokes an API key.',
  example: 'firn_1a2b3c4d',
  operands: [KEY_OPERAND],
  options: PLACE,
  run: (options, { operands: [key = ''], terminal }) => revoke(key, options, terminal),
})

const now = () => Math.floor(Date.now() / 1000)

const open = async (options: Place, terminal: Terminal) => {
  const { chainId } = options
  if (chainId === undefined) return Database.openStored({ ...options, attach: true }, terminal)
  const stored = await ChainStores.list(options)
  if (stored.includes(chainId))
    return ChainStores.openOne({ ...options, attach: true }, chainId, Database.logger(terminal))
  const message = `The database holds no EVM chain ${chainId}, but ${stored.join(', ') || 'none'}. Follow the chain with "firn evm" first, or check --database-url and --data-dir.`
  throw new CliError('CLI_INPUT', message)
}

const using = async (
  options: Place,
  terminal: Terminal,
  work: (store: ServiceStore) => Promise<void>,
): Promise<void> => {
  const store = await open(options, terminal)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Creates an API key and shows it once. */
export const create = (options: CreateOptions, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const { name, scope: scopes = ApiKey.CALLER_SCOPES, unitsPerMinute, unitsPerDay } = options
    const key = await createKey(store, { name, scopes, unitsPerMinute, unitsPerDay }, randomBytes, now())
    terminal.print(key)
    terminal.note(
      'The key is shown only once and is not stored, so save it now. Callers send it in x-data-api-key.',
    )
  })

const date = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)

/** Lists all keys with their first characters, id, name, scopes, creation time and state. */
export const list = (options: Place, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    for (const key of await listKeys(store)) {
      const { hint, name, scopes, createdAt, revokedAt } = key
      const state = revokedAt === undefined ? 'active' : `revoked ${date(revokedAt)}`
      terminal.print([`${hint}…`, ApiKey.id(key), name, scopes.join(','), date(createdAt), state].join('  '))
    }
  })

/** Replaces the scopes of the key that a text identifies. */
const setScopes = (text: string, options: Values<typeof SCOPE_OPTIONS>, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const key = await setKeyScopes(store, text.replace(/…$/, ''), options.scope)
    terminal.print(`${key.hint}…  ${ApiKey.id(key)}  ${key.name}  ${key.scopes.join(',')}`)
  })

/** Revokes the key that a text identifies: the whole key, its id, or a unique prefix of either. */
export const revoke = (text: string, options: Place, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const key = await revokeKey(store, text.replace(/…$/, ''), now())
    terminal.print(`revoked ${key.hint}…  ${ApiKey.id(key)}  ${key.name}`)
  })
