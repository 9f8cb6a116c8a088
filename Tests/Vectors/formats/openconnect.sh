#!/bin/sh
openconnect --user me --servercert pin-sha256:C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M= --servercert=sha256:854705162a75cf418e8a85acf10998579808769dbf1caed406f6abf817ee4cd5 --protocol=gp https://example.com/portal
