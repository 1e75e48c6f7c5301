import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDataApi, type DataApiService } from '@firn/data-api'
import { LocalAccess, LocalToken } from '@firn/operate'
import { recordedStore } from '@firn/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Run from '../Run.ts'

let folder: string
let service: DataApiService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firn-operate-'))
  service = await createDataApi({
    ...{ store: await recordedStore('local'), host: '127.0.0.1', port: 0, limits: undefined, version: '0' },
    ...{ aggregateStatus: 200, timeoutMs: 600_000 },
    local: LocalAccess.open({ folder, log: { warn: () => undefined } }),
  })
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

const firn = async (...words: string[]) => {
  const [printed, noted]: string[][] = [[], []]
  const terminal = {
    print: (line: string) => void printed?.push(line),
    note: (line: string) => void noted?.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  }
  const status = await Run.run(words, terminal)
  return { status, printed: printed?.join('\n') ?? '', noted: noted?.join('\n') ?? '' }
}
const signIn = (code: string) =>
  fetch(`${service.url}/operate/sign-in`, { method: 'POST', headers: { 'x-operator-code': code } })

describe('firn operate link', () => {
  it('prints a link that signs in once', async () => {
    const { status, printed } = await firn('operate', 'link', '--url', service.url, '--data-dir', folder)
    const [url, code = ''] = printed.split('#operator=')
    expect([status, url]).toEqual([0, `${service.url}/`])
    const { token } = (await (await signIn(code)).json()) as { token: string }
    const answer = await fetch(`${service.url}/operate/log`, { headers: { 'x-operator-token': token } })
    expect(answer.status).toBe(200)
    expect((await signIn(code)).status).toBe(401)
  })

  it('names the data folder if it has no token', async () => {
    const { status, noted } = await firn('operate', 'link', '--data-dir', join(folder, 'none'))
    expect([status, noted]).toEqual([1, expect.stringContaining(LocalToken.pathIn(join(folder, 'none')))])
  })

  it('refuses a service on another machine', async () => {
    const { status, noted } = await firn(
      'operate',
      'link',
      '--data-dir',
      folder,
      '--url',
      'http://10.0.0.7:8700',
    )
    expect([status, noted]).toEqual([1, expect.stringMatching(/on this machine.*scope admin/)])
  })
})

describe('firn operate get', () => {
  it('prints data for operators', async () => {
    const { status, printed } = await firn(
      'operate',
      'get',
      'limits',
      '--url',
      service.url,
      '--data-dir',
      folder,
    )
    expect([status, JSON.parse(printed)]).toEqual([0, { limits: [], limited: [] }])
  })

  it('prints why the service refuses the request', async () => {
    const { status, noted } = await firn('operate', 'get', 'x', '--url', service.url, '--data-dir', folder)
    expect([status, noted]).toEqual([1, expect.stringMatching(/status 404.*OPERATE_ROUTE/)])
  })

  it('says if no service responds', async () => {
    const url = 'http://127.0.0.1:1'
    const { status, noted } = await firn('operate', 'get', 'log', '--url', url, '--data-dir', folder)
    expect([status, noted]).toEqual([1, expect.stringContaining(`${url} does not respond`)])
  })
})
