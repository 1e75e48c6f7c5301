import { randomBytes } from 'node:crypto'
import { type ApiKey, createKey } from '@firn/data-api'
import { ApiKeys, type Store } from '@firn/store'
import { CliError } from '../CliError.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'

/** What `firn keys create` may be told. */
export type CreateOptions = Database.Options & {
  readonly name: string
  readonly scope: readonly ApiKey.Scope[]
  readonly unitsPerMinute?: number
  readonly unitsPerDay?: number
}

const now = () => Math.floor(Date.now() / 1000)

const using = async (
  options: Database.Options,
  terminal: Terminal,
  work: (store: Store) => Promise<void>,
): Promise<void> => {
  const store = await Database.openStored(options, terminal)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Makes a key and shows it, once. */
export const create = (options: CreateOptions, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const { name, scope: scopes, unitsPerMinute, unitsPerDay } = options
    const key = await createKey(store, { name, scopes, unitsPerMinute, unitsPerDay }, randomBytes, now())
    terminal.print(key)
    terminal.note('This is shown once and kept nowhere: store it now. Callers send it in x-data-api-key.')
  })

const date = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().slice(0, 19)

/** Shows the keys that there are, by their first characters. */
export const list = (options: Database.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    for (const { hint, name, scopes, created_at, revoked_at } of await ApiKeys.list(store)) {
      const state = revoked_at === null ? 'active' : `revoked ${date(revoked_at)}`
      terminal.print([`${hint}…`, name, scopes.join(','), date(created_at), state].join('  '))
    }
  })

/** Revokes a key by its first characters. */
export const revoke = (hint: string, options: Database.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (store) => {
    const revoked = await ApiKeys.revoke(store, hint.replace(/…$/, ''), BigInt(now()))
    if (revoked === 0) throw new CliError('CLI_INPUT', `there is no active key that begins with ${hint}`)
    terminal.print(`revoked ${revoked}`)
  })
