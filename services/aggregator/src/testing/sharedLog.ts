import { Hex, Id } from '@firn/codec'
import { silentLogger, systemClock } from '@firn/runtime'
import { openPGlite } from '@firn/store/testing'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { createDatabase } from '../shared-log/Database.ts'
import type { Query, Row, Server } from '../shared-log/Server.ts'
import { C_CHAIN, createMessage } from './fakes.ts'

/** A database server for tests that can fail. */
export interface TestServer extends Server {
  /** While `down`, all statements fail; while `hung`, none of them ends. */
  state: 'up' | 'down' | 'hung'
  /** Runs a statement whatever the state. */
  readonly sql: Query
  /** Number of statements so far. */
  readonly statements: number
}

/** Creates an empty database in memory. It is closed after the current test. */
export async function createTestServer(): Promise<TestServer> {
  const store = await openPGlite()
  onTestFinished(() => store.close())
  const { driver } = store
  let statements = 0
  const gate = async (): Promise<void> => {
    statements += 1
    if (server.state === 'down') throw new Error('connection refused')
    if (server.state === 'hung') await new Promise(() => undefined)
  }
  const server: TestServer = {
    state: 'up',
    sql: (text, values) => driver.control(text, values) as Promise<readonly Row[]>,
    get statements() {
      return statements
    },
    query: async (text, values) => {
      await gate()
      // The driver of the store wraps the errors of the server.
      return server.sql(text, values).catch((error: Error) => Promise.reject(error.cause ?? error))
    },
    transaction: async (work) => {
      await gate()
      await driver.transaction((session) => work(session.query))
    },
    listen: () => undefined,
    close: async () => undefined,
  }
  return server
}

/** Connects to a server, and waits until its tables exist. */
export async function connectTo(server: TestServer) {
  // No test depends on the speed of the database; a test with a hanging database lowers the limit.
  const limits = { promptMs: 60_000, patientMs: 60_000 }
  const options = { server, clock: systemClock, log: silentLogger, register: new Registry(), limits }
  const database = createDatabase(options)
  onTestFinished(() => database.close())
  await database.tried
  return { ...options, database }
}

/** Returns the row of a message of the C-chain, and the message itself. */
export function createMessageRow(text: string) {
  const message = createMessage(C_CHAIN, undefined, text)
  const row = {
    message_id: Hex.encodeBare(Id.hash(message)),
    source_chain: Hex.encodeBare(C_CHAIN),
    unsigned_message: Hex.encodeBare(message),
  }
  return { message, row }
}
