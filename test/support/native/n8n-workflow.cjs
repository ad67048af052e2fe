module.exports = globalThis.requireNatively('n8n-workflow');
