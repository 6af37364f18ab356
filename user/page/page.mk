# SPDX-License-Identifier: GPL-2.0-only
# The style and the script of pages, as they stand, and the hashes by which pages allow no others.

PAGE_FILES = page.css page.js page.css.hash page.js.hash

$(BUILD)/user/page/files.o: user/page/page.css user/page/page.js user/page/page.mk
	@mkdir -p $(@D)
	$(SAY) LD $@
	@cp user/page/page.css user/page/page.js $(@D)/
	@for file in page.css page.js; do \
		env printf "$$(sha256sum <user/page/$$file | cut -c 1-64 | sed 's/../\\x&/g')" | \
			base64 | tr -d '\n' >$(@D)/$$file.hash; done
	$(Q)cd $(@D) && $(LD) -r -b binary -z noexecstack -o files.o $(PAGE_FILES)
