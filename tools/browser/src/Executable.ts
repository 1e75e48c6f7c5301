import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** A Chromium to start. */
export interface Executable {
  readonly path: string
  /** Environment variables that it needs, in addition to the variables of this process. */
  readonly env: Readonly<Record<string, string>>
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const APPLICATIONS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
const CACHE = fileURLToPath(new URL('../../../.firn/', import.meta.url))

const run = promisify(execFile)
const decompress = promisify(brotliDecompress)

/** Returns the Chromium or Chrome of this machine; undefined if it has none. */
export function findInstalled(path = process.env['PATH'] ?? ''): Executable | undefined {
  const candidates = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  const found = [...candidates, ...APPLICATIONS].find((candidate) => existsSync(candidate))
  return found === undefined ? undefined : { path: found, env: {} }
}

/**
 * Unpacks the Chromium that is a dependency of this package, with the libraries that it needs, unless it is unpacked
 * already. The dependency's own function is not safe to call in two processes at the same time.
 * @throws Error if the machine does not run Linux on x64
 */
export async function unpack(cache = CACHE): Promise<Executable> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium on the path. Install chromium or google-chrome.')
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
  const { version } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const unfinished = await mkdtemp(`${folder}.`)
    const read = async (name: string) => decompress(await readFile(join(packed, 'bin', name)))
    await writeFile(join(unfinished, 'chromium'), await read('chromium.br'))
    await chmod(join(unfinished, 'chromium'), 0o755)
    await writeFile(join(unfinished, 'libraries.tar'), await read('al2023.tar.br'))
    await run('tar', ['-xf', 'libraries.tar'], { cwd: unfinished })
    // Another process may have been faster.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  }
  return { path: join(folder, 'chromium'), env: { LD_LIBRARY_PATH: join(folder, 'lib') } }
}
