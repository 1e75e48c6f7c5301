import { randomBytes } from 'node:crypto'
import { createBypassToken, isTokenName } from '@firn/gateway'
import { Database } from '@firn/indexer'
import { Command, Common, option, type Terminal, Type, type Values } from '@firn/options'
import { BypassTokens, UsageDatabase, type UsageStore } from '@firn/service-store'
import type { Databases } from '@firn/store'
import { CliError } from '../CliError.ts'

const CREATE_OPTIONS = {
  name: option(Type.text, {
    isRequired: true,
    help: "Name of the token's holder, as shown in usage counts.",
  }),
  creditsPerSecond: option(Type.count, {
    defaultText: 'no limit',
    help: 'Credits per second, shared by all holders of the token.',
  }),
  ...Common.DATABASE,
}

/** Options of `firn bypass create`. */
export type CreateOptions = Values<typeof CREATE_OPTIONS>

export const CREATE = Command.create({
  description: 'Creates a bypass token and shows it once.',
  example: '--name partner',
  options: CREATE_OPTIONS,
  run: (options, { terminal }) => create(options, terminal),
})

export const LIST = Command.create({
  description: 'Lists bypass tokens by their first characters.',
  example: '',
  options: Common.DATABASE,
  run: (options, { terminal }) => list(options, terminal),
})

export const REVOKE = Command.create({
  description: 'Revokes a bypass token. Gateways reject it within seconds.',
  example: 'partner',
  operands: [{ name: 'name', help: 'The name of the token.' }],
  options: Common.DATABASE,
  run: (options, { operands: [name = ''], terminal }) => revoke(name, options, terminal),
})

const now = () => Math.floor(Date.now() / 1000)
const date = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().slice(0, 19)

const using = async (
  options: Databases.Options,
  terminal: Terminal,
  work: (usage: UsageStore) => Promise<void>,
): Promise<void> => {
  const usage = await UsageDatabase.openMigrated({ ...options, attach: true }, Database.logger(terminal))
  try {
    await work(usage)
  } finally {
    await usage.close()
  }
}

/** Creates a bypass token and shows it once. */
export const create = (options: CreateOptions, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (usage) => {
    const { name, creditsPerSecond } = options
    if (!isTokenName(name))
      throw new CliError(
        'CLI_INPUT',
        `expected a name of 1 to 64 printable characters without spaces, got ${JSON.stringify(name)}`,
      )
    const others = await BypassTokens.list(usage)
    if (others.some((other) => other.name === name && other.revoked_at === null)) {
      throw new CliError('CLI_INPUT', `a token named ${name} already exists; revoke it first`)
    }
    terminal.print(await createBypassToken(usage, { name, creditsPerSecond }, randomBytes, now()))
    terminal.note(
      'The token is shown only once and is not stored, so save it now. Append it to the path, or send it in x-bypass-token.',
    )
  })

/** Lists the bypass tokens by their first characters. */
export const list = (options: Databases.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (usage) => {
    for (const { hint, name, credits_per_second, created_at, revoked_at } of await BypassTokens.list(usage)) {
      const limit = credits_per_second === null ? 'no limit' : `${credits_per_second} credits/s`
      const state = revoked_at === null ? 'active' : `revoked ${date(revoked_at)}`
      terminal.print([`${hint}…`, name, limit, date(created_at), state].join('  '))
    }
  })

/** Revokes a bypass token by name. */
export const revoke = (name: string, options: Databases.Options, terminal: Terminal): Promise<void> =>
  using(options, terminal, async (usage) => {
    const revoked = await BypassTokens.revoke(usage, name, BigInt(now()))
    if (revoked === 0) throw new CliError('CLI_INPUT', `no active token is named ${name}`)
    terminal.print(`revoked ${revoked}`)
  })
