import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LEVELS } from '@firn/node-api'
import type { Logger } from '@firn/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLoggers, type NodeLoggers } from './PinoLoggers.ts'

let folder: string
let displayed: string[]
let loggers: NodeLoggers
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-loggers-'))
  displayed = []
  loggers = createLoggers({ folder, display: { write: (line) => displayed.push(line) }, now: Date.now })
})
afterEach(async () => {
  loggers.close()
  await rm(folder, { recursive: true, force: true })
})

type Line = { readonly level: string; readonly logger: string; readonly msg: string }
const parse = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line)
const file = async (name: string) =>
  readFile(join(folder, `${name}.log`), 'utf8').then(
    (text) => parse(text.trimEnd().split('\n')),
    () => [],
  )
const messages = (lines: readonly Line[]) => lines.map(({ msg }) => msg)

function sayAll(logger: Logger): void {
  logger.debug({}, 'debug')
  logger.info({ a: 1 }, 'info')
  logger.warn({}, 'warn')
  logger.error({}, 'error')
}

test("writes each line to the logger's file and to the display", async () => {
  loggers.get('C').info({ height: 7 }, 'accepted')
  loggers.get('P').warn({}, 'late')
  expect(await file('C')).toMatchObject([{ level: 'INFO', logger: 'C', msg: 'accepted', height: 7 }])
  expect(await file('P')).toMatchObject([{ level: 'WARN', logger: 'P', msg: 'late' }])
  expect(parse(displayed)).toMatchObject([{ logger: 'C' }, { logger: 'P' }])
})

describe('level of the file and of the display', () => {
  const EXPECTED: Readonly<Record<string, readonly string[]>> = {
    OFF: [],
    FATAL: [],
    ERROR: ['error'],
    WARN: ['warn', 'error'],
    INFO: ['info', 'warn', 'error'],
    TRACE: ['info', 'warn', 'error'],
    DEBUG: ['debug', 'info', 'warn', 'error'],
    VERBO: ['debug', 'info', 'warn', 'error'],
  }

  test.each(LEVELS)('writes only lines that are severe enough for the level %s', async (level) => {
    loggers.get('C')
    loggers.setLevels('C', { logLevel: level })
    expect(loggers.levels('C')).toEqual({ logLevel: level, displayLevel: 'INFO' })
    sayAll(loggers.get('C'))
    expect(messages(await file('C'))).toEqual(EXPECTED[level])
    expect(messages(parse(displayed))).toEqual(EXPECTED['INFO'])
    displayed = []
    loggers.setLevels('C', { displayLevel: level })
    expect(loggers.levels('C')).toEqual({ logLevel: level, displayLevel: level })
    sayAll(loggers.get('C'))
    expect(messages(parse(displayed))).toEqual(EXPECTED[level])
  })
})

test('gives each logger separate levels, and returns the same logger for the same name', () => {
  const first = loggers.get('X')
  loggers.get('C')
  loggers.setLevels('X', { logLevel: 'OFF' })
  expect(loggers.get('X')).toBe(first)
  expect(loggers.levels('X')?.logLevel).toBe('OFF')
  expect(loggers.levels('C')?.logLevel).toBe('INFO')
  expect(loggers.levels('nope')).toBeUndefined()
})

test('sorts logger names by their bytes', () => {
  for (const name of ['vm-factory', 'main', 'é', 'P', '中', 'C']) loggers.get(name)
  expect(loggers.names()).toEqual(['C', 'P', 'main', 'vm-factory', 'é', '中'])
})

test("creates the log file inside the folder regardless of the logger's name", async () => {
  loggers.get('../escaped').info({}, 'here')
  expect(messages(await file('.._escaped'))).toEqual(['here'])
})
