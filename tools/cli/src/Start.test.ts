import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hex } from '@firn/codec'
import { UnsignedMessage, WarpEvent } from '@firn/warp'
import { afterAll, expect, test } from 'vitest'
import * as Run from './Run.ts'

const decodeUnsigned = (message: string) => UnsignedMessage.decode(Hex.decodeAny(message))

const folder = mkdtempSync(join(tmpdir(), 'firn-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const speak = (
  lines: string[],
  onPrint: (line: string) => void = () => undefined,
  signal = new AbortController().signal,
) => ({
  print: (line: string) => {
    lines.push(line)
    onPrint(line)
  },
  note: (line: string) => lines.push(line),
  isInteractive: false,
  signal,
})

const OPTIONS = ['--validators', '5', '--api-port', '0', '--rpc-port', '0'] as const

test('prints the signed message, its verification and the report with start --once, but no URL of a stopped service', async () => {
  const lines: string[] = []
  expect(await Run.run(['start', '--once', ...OPTIONS], speak(lines))).toBe(0)
  const text = lines.join('\n')
  expect(text).toMatch(/signed message {3}0x[0-9a-f]{300,}/)
  expect(text).toMatch(/^valid .*quorum 67/m)
  expect(lines.filter((line) => /^ {2}#\d +NodeID-/.test(line))).toHaveLength(5)
  expect(text).not.toMatch(/https?:/)
})

test('keeps the service of firn start available to firn aggregate and firn verify until a signal arrives', async () => {
  const stop = new AbortController()
  const lines: string[] = []
  const up = Promise.withResolvers<void>()
  const onPrint = (line: string) => {
    if (line === 'Press Ctrl-C to stop') up.resolve()
  }
  const running = Run.run(['start', ...OPTIONS], speak(lines, onPrint, stop.signal))
  await Promise.race([up.promise, running])
  const urlAfter = (word: string) => lines.find((line) => line.startsWith(word))?.match(/http:\S+/)?.[0] ?? ''
  const message = lines.join('\n').match(/"message":"([0-9a-f]+)"/)?.[1] ?? ''

  const answer: string[] = []
  const argv = ['aggregate', message, '--aggregator', urlAfter('aggregator'), '--quorum', '100', '--json']
  const { note, ...quiet } = speak(answer)
  expect(await Run.run(argv, { ...quiet, note: () => undefined })).toBe(0)
  const file = join(folder, 'answer.json')
  writeFileSync(file, answer.join('\n'))

  const bundled: string[] = []
  expect(await Run.run(['verify', file, '--bundle', file, '--quorum', '100'], speak(bundled))).toBe(0)
  expect(bundled.join('\n')).toContain('(100.00 %, quorum 100.00 %)')
  const fetched: string[] = []
  expect(await Run.run(['verify', file, '--upstream', urlAfter('devnet')], speak(fetched))).toBe(0)
  expect(fetched.join('\n')).toContain('signers          5 of 5')

  const refused: string[] = []
  const unknown = message.replace(/^000000003039/, '000000003038')
  expect(await Run.run(['aggregate', unknown, '--aggregator', urlAfter('aggregator')], speak(refused))).toBe(
    1,
  )
  expect(refused.join('\n')).toContain('firn: the aggregator rejected the request:')

  const event = Hex.encode(WarpEvent.encode(new Uint8Array(20), decodeUnsigned(message)).data)
  const ofEvent: string[] = []
  expect(await Run.run(['aggregate', event, '--aggregator', urlAfter('aggregator')], speak(ofEvent))).toBe(0)
  expect(ofEvent.at(-1)).toMatch(/^0x[0-9a-f]{300,}$/)

  stop.abort()
  expect(await running).toBe(0)
})

test('picks free ports in firn start when the given ports are in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = String((taken.address() as AddressInfo).port)
  const lines: string[] = []
  const argv = ['start', '--once', '--validators', '2', '--api-port', port, '--rpc-port', port]
  expect(await Run.run(argv, speak(lines))).toBe(0)
  expect(lines.join('\n')).toMatch(/^valid /m)
  taken.close()
})
