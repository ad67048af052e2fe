import { isPage } from '../../../nodes/shared/transport/request.ts';

const answer = (text: string, contentType?: string) => ({
	status: 200,
	headers: { 'content-type': contentType },
	text,
});

test.each([
	['<!doctype html><title>Proxy</title>', undefined],
	['\uFEFF\r\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', 'text/plain'],
	['<html>', 'application/json'],
	['<HTML lang="en">', undefined],
	['<?xml version="1.0"?><!DOCTYPE html><html/>', 'application/xhtml+xml'],
	['<!-- a portal --><div>Sign in</div>', 'text/html'],
	['Welcome, please <a href="/login">sign in</a>', 'Text/HTML; charset=utf-8'],
])('%j as %s is a page', (text, contentType) => {
	expect(isPage(answer(text, contentType))).toBe(true);
});

test.each([
	['Created', 'text/plain'],
	['Created', 'text/html; charset=utf-8'],
	['created 1 < 2', 'text/html'],
	['', 'text/html'],
	['<created/>', 'application/xml'],
	['<htmlish/>', 'text/xml'],
	['see <html> for help', 'text/plain'],
	['{"html":"<html>"}', 'application/json'],
	['OK', undefined],
])('%j as %s is none', (text, contentType) => {
	expect(isPage(answer(text, contentType))).toBe(false);
});
