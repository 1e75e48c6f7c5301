import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { StoreErrorCode } from '../StoreError.ts'
import { wrap } from './failures.ts'

/** SQLSTATEs with their conditions, as the documentation of PostgreSQL names them. */
const STATES: Readonly<Record<string, readonly [condition: string, code: StoreErrorCode]>> = {
  '08000': ['connection_exception', 'STORE_UNAVAILABLE'],
  '08003': ['connection_does_not_exist', 'STORE_UNAVAILABLE'],
  '08006': ['connection_failure', 'STORE_UNAVAILABLE'],
  '08P01': ['protocol_violation', 'STORE_UNAVAILABLE'],
  '0A000': ['feature_not_supported', 'STORE_QUERY'],
  '22003': ['numeric_value_out_of_range', 'STORE_QUERY'],
  '23505': ['unique_violation', 'STORE_QUERY'],
  '25006': ['read_only_sql_transaction', 'STORE_READ_ONLY'],
  '25P02': ['in_failed_sql_transaction', 'STORE_QUERY'],
  '25P03': ['idle_in_transaction_session_timeout', 'STORE_UNAVAILABLE'],
  '25P04': ['transaction_timeout', 'STORE_UNAVAILABLE'],
  '28000': ['invalid_authorization_specification', 'STORE_UNAVAILABLE'],
  '28P01': ['invalid_password', 'STORE_UNAVAILABLE'],
  '3D000': ['invalid_catalog_name', 'STORE_UNAVAILABLE'],
  '40001': ['serialization_failure', 'STORE_UNAVAILABLE'],
  '40003': ['statement_completion_unknown', 'STORE_UNAVAILABLE'],
  '40P01': ['deadlock_detected', 'STORE_UNAVAILABLE'],
  '42601': ['syntax_error', 'STORE_QUERY'],
  '42P01': ['undefined_table', 'STORE_QUERY'],
  '53100': ['disk_full', 'STORE_UNAVAILABLE'],
  '53200': ['out_of_memory', 'STORE_UNAVAILABLE'],
  '53300': ['too_many_connections', 'STORE_UNAVAILABLE'],
  '54001': ['statement_too_complex', 'STORE_QUERY'],
  '55000': ['object_not_in_prerequisite_state', 'STORE_UNAVAILABLE'],
  '55P03': ['lock_not_available', 'STORE_UNAVAILABLE'],
  '57000': ['operator_intervention', 'STORE_UNAVAILABLE'],
  '57014': ['query_canceled', 'STORE_TIMEOUT'],
  '57P01': ['admin_shutdown', 'STORE_UNAVAILABLE'],
  '57P02': ['crash_shutdown', 'STORE_UNAVAILABLE'],
  '57P03': ['cannot_connect_now', 'STORE_UNAVAILABLE'],
  '57P04': ['database_dropped', 'STORE_UNAVAILABLE'],
  '57P05': ['idle_session_timeout', 'STORE_UNAVAILABLE'],
  '58000': ['system_error', 'STORE_UNAVAILABLE'],
  '58030': ['io_error', 'STORE_UNAVAILABLE'],
  '58P01': ['undefined_file', 'STORE_UNAVAILABLE'],
  '72000': ['snapshot_too_old', 'STORE_UNAVAILABLE'],
  F0000: ['config_file_error', 'STORE_UNAVAILABLE'],
  P0001: ['raise_exception', 'STORE_QUERY'],
  XX000: ['internal_error, also of Citus for a lost worker', 'STORE_UNAVAILABLE'],
  XX001: ['data_corrupted', 'STORE_UNAVAILABLE'],
  XX002: ['index_corrupted', 'STORE_UNAVAILABLE'],
}

/** Messages of errors without a code, from the sources of pg, pg-pool, pg-protocol and kysely. */
const MESSAGES = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'There was an error establishing an SSL connection',
  'The server does not support SSL connections',
  'SASL: Last message was not SASLInitialResponse',
  'received invalid response: 48',
  'Received unexpected commandComplete message from backend.',
  'driver has already been destroyed',
  'PGlite is closed',
]

describe('wrap', () => {
  test.each(Object.entries(STATES))('reports SQLSTATE %s (%o)', (code, [condition, expected]) => {
    expect(wrap(Object.assign(new Error(condition), { code }))).toMatchObject({ code: expected })
  })

  test.each(MESSAGES)('reports the driver\u2019s error \u201c%s\u201d as unavailable', (message) => {
    expect(wrap(new Error(message))).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test.each([
    'EPIPE',
    'ECONNRESET',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'CERT_HAS_EXPIRED',
  ])('reports the socket\u2019s error %s as unavailable, with and without a system call', (code) => {
    const broken = Object.assign(new Error(`write ${code}`), { code })
    expect(wrap(broken)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(wrap(Object.assign(broken, { syscall: 'write' }))).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test('reports a write to a connection that the server has ended as unavailable', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
    socket.on('error', () => undefined)
    await once(socket, 'end')
    await nextTurn()
    const error = await new Promise((resolve) => socket.write('a statement', resolve))
    // The code of this error has the form of an SQLSTATE, and no system call.
    expect(error).toMatchObject({ code: 'EPIPE' })
    expect(wrap(error)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    server.close()
  })

  test('says that the disk of the database is full, and what to do', () => {
    const full = Object.assign(new Error('could not extend file "base/1"'), { code: '53100' })
    expect(wrap(full)).toMatchObject({
      message:
        'the disk of the database is full: make space, and writing goes on (could not extend file "base/1")',
    })
  })

  test('leaves defects of the program and aborts unchanged', () => {
    for (const error of [new TypeError('x is undefined'), new DOMException('stop', 'AbortError'), 'text'])
      expect(wrap(error)).toBe(error)
  })
})
