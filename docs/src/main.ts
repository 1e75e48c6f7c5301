import { join } from 'node:path'
import { isFirnError } from '@firn/codec'
import { build, createServer, serve } from 'vitepress'
import { DocsError } from './DocsError.ts'
import * as LinkCheck from './LinkCheck.ts'
import * as Repository from './Repository.ts'
import * as Site from './Site.ts'

const USAGE = `Usage: npm run docs [-- dev | build | preview] [--base <path>] [--port <port>]

dev      serves the site and shows changes of the theme at once (the default)
build    writes the site to docs/build, and fails if a link is broken
preview  serves docs/build

--base   path at which the site is served, such as /firn/; by default /
--port   port of dev and preview; by default 5173`

interface Arguments {
  readonly job: string
  readonly base: string
  readonly port: number
}

const parse = (argv: readonly string[]): Arguments => {
  const [values, rest] = [new Map<string, string>(), [...argv]]
  const jobs: string[] = []
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    if (word === '--base' || word === '--port') values.set(word, rest.shift() ?? '')
    else jobs.push(word)
  }
  const [job = 'dev', ...more] = jobs
  const base = `/${values.get('--base') ?? ''}/`.replaceAll(/\/+/g, '/')
  const port = Number(values.get('--port') ?? 5173)
  if (more.length > 0 || !['dev', 'build', 'preview'].includes(job) || !Number.isInteger(port))
    throw new DocsError('DOCS_USAGE', `Unknown arguments: ${argv.join(' ')}.\n${USAGE}`)
  return { job, base, port }
}

const run = async (argv: readonly string[]): Promise<void> => {
  if (argv.includes('--help') || argv.includes('-h')) return console.log(USAGE)
  const { job, base, port } = parse(argv)
  const repository = Repository.open()
  const root = join(repository.root, 'docs')
  if (job === 'preview') return void (await serve({ root, base, port }))
  const site = await Site.create(repository, join(root, '.firn'))
  Site.write(site, join(root, '.firn'))
  if (job === 'dev') {
    const server = await createServer(root, { base, port, host: '127.0.0.1' })
    await server.listen()
    return server.printUrls()
  }
  await build(root, { base })
  const { links, broken } = LinkCheck.check(join(root, 'build'), base)
  if (broken.length > 0)
    throw new DocsError('DOCS_LINK', `${broken.length} broken links:\n${broken.join('\n')}`)
  console.log(`docs/build: ${site.pages.length} pages, ${links} links`)
  process.exit(0)
}

try {
  await run(process.argv.slice(2).filter((argument) => argument !== '--'))
} catch (error) {
  if (!isFirnError(error)) throw error
  console.error(`docs: ${error.message}`)
  // VitePress leaves workers running.
  process.exit(error.code === 'DOCS_USAGE' ? 2 : 1)
}
