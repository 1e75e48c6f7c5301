#!/usr/bin/env node
import { main } from './Main.ts'

await main(process)
