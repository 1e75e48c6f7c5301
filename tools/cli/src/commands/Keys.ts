import { randomBytes } from 'node:crypto'
import { ApiKey, createKey, listKeys, revokeKey } from '@firn/data-api'
import type { Store } from '@firn/store'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'

/** The options of `firn keys create`. */
export type CreateOptions = Database.Options & {
  readonly name: string
  /** All scopes by default. */
  readonly scope?: readonly ApiKey.Scope[]
  readonly unitsPerMinute?: number
  readonly unitsPerDay?: number
}

const now = () => Math.floor(Date.now() / 1000)

const using = async (
  options: Database.Options,
  terminal: Terminal,
  work: (store: Store) => Promise<void>,
): Promise<void> => {
  const store = await Database.openStored({ ...options, attach: true }, terminal)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Makes a key and shows it, once. */
export const create = (options: CreateOptions, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const { name, scope: scopes = ApiKey.SCOPES, unitsPerMinute, unitsPerDay } = options
    const key = await createKey(store, { name, scopes, unitsPerMinute, unitsPerDay }, randomBytes, now())
    terminal.print(key)
    terminal.note('This is shown once and kept nowhere: store it now. Callers send it in x-data-api-key.')
  })

const date = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19)

/** Shows all keys: first characters, id, name, scopes, time of creation, state. */
export const list = (options: Database.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    for (const key of await listKeys(store)) {
      const { hint, name, scopes, createdAt, revokedAt } = key
      const state = revokedAt === undefined ? 'active' : `revoked ${date(revokedAt)}`
      terminal.print([`${hint}…`, ApiKey.id(key), name, scopes.join(','), date(createdAt), state].join('  '))
    }
  })

/** Revokes the key that a text names: the whole key, its id, or a unique beginning of either. */
export const revoke = (text: string, options: Database.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const key = await revokeKey(store, text.replace(/…$/, ''), now())
    terminal.print(`revoked ${key.hint}…  ${ApiKey.id(key)}  ${key.name}`)
  })
