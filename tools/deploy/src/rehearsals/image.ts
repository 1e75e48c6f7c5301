import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DeployError } from '../DeployError.ts'
import * as Dockerfile from '../Dockerfile.ts'
import { read } from '../Repository.ts'
import * as ImageSteps from './ImageSteps.ts'

/** User id of the image. */
const USER = 65_532
const START_MS = 60_000

type Service = { readonly output: () => string; readonly hasEnded: () => boolean; close(): Promise<void> }

/** Starts the image with a command, as `docker run` does. */
const start = (
  site: ImageSteps.Site,
  image: ImageSteps.Built,
  command: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Service => {
  const [program = '', ...words] = Dockerfile.last(image.stage, 'ENTRYPOINT')?.words ?? []
  const env = { ...inside(image), ...more }
  const child = spawn(
    ImageSteps.locate(image, program),
    [...words.map((word) => ImageSteps.locate(image, word)), ...command],
    {
      cwd: join(image.root, image.workdir),
      env,
      ...ImageSteps.userOf(site),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    output: () => text,
    hasEnded: () => child.exitCode !== null,
    close: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Returns the environment of the image on this machine: /data is a folder, and services listen on loopback. */
const inside = (image: ImageSteps.Built): Record<string, string> => {
  const own = Object.entries(image.environment).map(([name, value]) => [
    name,
    value === '0.0.0.0' ? '127.0.0.1' : name === 'FIRN_DATA_DIR' ? ImageSteps.locate(image, value) : value,
  ])
  return { PATH: '/nonexistent', HOME: '/nonexistent', ...Object.fromEntries(own) }
}

/** Waits until the output of a service contains a URL. */
const urlOf = async (service: Service, pattern: RegExp): Promise<string> => {
  for (const end = Date.now() + START_MS; Date.now() < end && !service.hasEnded(); await wait(100)) {
    const url = pattern.exec(service.output())?.[1]
    if (url !== undefined) return url
  }
  throw new DeployError('DEPLOY_STEP', `the service did not start:\n${service.output().slice(-2_000)}`)
}

/** Runs the HEALTHCHECK of the image until it succeeds. */
const checkHealth = async (site: ImageSteps.Site, image: ImageSteps.Built, url: string): Promise<void> => {
  const check = Dockerfile.last(image.stage, 'HEALTHCHECK')?.text ?? ''
  const words = JSON.parse(/\[.*\]/.exec(check)?.[0] ?? '[]') as string[]
  const [program = '', ...rest] = words.map((word) => ImageSteps.locate(image, word))
  const env = { ...inside(image), FIRN_HEALTH_URL: url }
  for (let left = 20; ; left--) {
    try {
      return await ImageSteps.run(site, [program, ...rest], { cwd: image.root, env })
    } catch (error) {
      if (left === 0) throw error
      await wait(500)
    }
  }
}

/** Makes the root of the image read-only, except for its volumes. */
const protect = (image: ImageSteps.Built): void => {
  const isRoot = process.getuid?.() === 0
  if (isRoot) return
  for (const path of globSync('app/**', { cwd: image.root })) ImageSteps.makeReadOnly(join(image.root, path))
}

const serve = async (site: ImageSteps.Site, image: ImageSteps.Built): Promise<void> => {
  const services: Service[] = []
  try {
    const devnet = start(site, image, ['devnet', '--validators', '4', '--rpc-port', '0'])
    services.push(devnet)
    const upstream = await urlOf(devnet, /(http:\/\/127\.0\.0\.1:\d+)/)
    const aggregator = start(site, image, ['aggregator'], {
      FIRN_P_CHAIN_API: upstream,
      FIRN_API_PORT: '0',
      FIRN_ALLOW_PRIVATE_IPS: 'true',
    })
    services.push(aggregator)
    await checkHealth(site, image, `${await urlOf(aggregator, /(http:\/\/127\.0\.0\.1:\d+)/)}/health`)
    // The gateway opens the embedded database in /data.
    const gateway = start(site, image, ['gateway', '--chain', `43112=${upstream}/ext/bc/C/rpc`], {
      FIRN_PORT: '0',
    })
    services.push(gateway)
    const url = await urlOf(gateway, /(http:\/\/127\.0\.0\.1:\d+)/)
    const { status } = await fetch(`${url}/metrics`)
    site.print(`gateway: /metrics responds with ${status}`)
    if (status !== 200) throw new DeployError('DEPLOY_STEP', `the gateway responds with ${status}`)
  } catch (error) {
    for (const service of services) site.print(service.output().slice(-1_000))
    throw error
  } finally {
    for (const service of services.reverse()) await service.close()
  }
}

/** Makes the image without Docker and starts services from it. Returns the bytes that it adds to its base. */
export async function rehearse(print: (line: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-image-'))
  const site = { folder, print, user: process.getuid?.() === 0 ? USER : undefined }
  try {
    const image = await ImageSteps.build(site, read('Dockerfile'))
    protect(image)
    await serve(site, image)
    const bytes = globSync('app/**', { cwd: image.root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    print(`${bytes} bytes are added to ${image.stage.image}`)
    return bytes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
