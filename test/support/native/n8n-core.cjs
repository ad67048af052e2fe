module.exports = globalThis.requireNatively('n8n-core');
